"""The findings of a comparison after it was run."""

from collections.abc import Iterable, Mapping, Sequence

from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.diff import word_diff
from synth.text.wording import Bold, counted, duration, listed, percent
from synth.words.count_words import alarm_head
from ui.pages.compare.analysis.text_sent import missed, send_the_same_text
from ui.pages.compare.cells import Cell

FINDINGS_LENGTH = 320
"""Characters of two lines at 16.5 px and 1,300 px wide."""
_NOTABLE = 0.9  # of the time of another run: a run that took more is hardly faster
_AWAITED = 0.5  # seconds: nobody notices a shorter wait


def run_findings(columns: Sequence[Cell], reference: int = 0) -> list[str]:
    """Two lines at most, as parts for `synth.html.escape.sentence_html`.

    `reference` is the position of the column that the others are compared with; if it has no
    answer, the first column that has one takes its part. In this order, as far as there is
    room: columns without an answer; prompts that a server cut; answers longer than asked; chunks
    that one column misses; the reference against one other in calls, text and words; time, unless
    the model is offline.
    """
    named = {column.name: column for column in columns}
    traces = {name: column.trace for name, column in named.items() if column.trace}
    traces = {name: trace for name, trace in traces.items() if trace.response is not None}
    if not traces:
        return fitting([_failures(named)])
    chosen = [*named][reference]
    base = chosen if chosen in traces else next(iter(traces))
    timed = {name: trace for name, trace in traces.items() if not named[name].free}
    return fitting(
        [
            _failures(named),
            _cut_by_server(traces),
            _too_long(traces),
            missed(traces),
            _contrast(traces, base),
            _speed(timed, base),
        ]
    )


def _failures(named: Mapping[str, Cell]) -> list[str]:
    """The sentence on columns without an answer; up to two are described one by one."""
    failures = {name: failure for name, column in named.items() if (failure := _failure(column))}
    if len(failures) > 2:
        return [Bold(f"{len(failures):,} columns have no answer"), f": {listed([*failures])}."]
    clauses = [(Bold(name), f" {failure}") for name, failure in failures.items()]
    parts = [part for clause in clauses for part in ("; ", *clause)]
    return [*parts[1:], "."] if parts else []


def _failure(column: Cell) -> str:
    """Why a column has no answer and how many calls were answered; "" for one that has one."""
    if column.answer is not None:
        return ""
    if column.trace is None:
        if column.plans.refused is not None:
            return "was refused"
        return "failed" if column.problem else ""
    answered = sum(call.answer is not None for call in column.trace.calls)
    verb = "was stopped" if column.trace.stopped else "failed"
    moment = f"after {counted(answered, 'answer')}" if answered else "before its first answer"
    return f"{verb} {moment}"


def _cut_by_server(traces: Mapping[str, Trace]) -> list[str]:
    """The columns whose server read less than it was sent; what it read, if it is one column."""
    found = [name for name, trace in traces.items() if trace.counts.cut is not None]
    if len(found) == 1:
        said = alarm_head(traces[found[0]])
        return [Bold(f"{found[0]}: {said[:1].lower()}{said[1:]}")]
    if not found:
        return []
    return [Bold(f"The server cut the start of prompts of {listed(found)}"), ", and said nothing."]


def _too_long(traces: Mapping[str, Trace]) -> list[str]:
    """The columns with an answer that is longer than num_output."""
    found = [name for name, trace in traces.items() if trace.too_long]
    if not found:
        return []
    return [
        Bold(f"{listed(found)} got more output tokens than were asked for"),
        ": the model or its server ignores the answer length.",
    ]


def _contrast(traces: Mapping[str, Trace], base: str) -> list[str]:
    """The reference against the column that sent the same text with the most other calls."""
    reference = traces[base]
    others = [name for name in traces if name != base and traces[name] is not reference]
    if not others:
        return [Bold(f"{base} made {_calls(reference)}"), "."]

    def contrast(name: str) -> tuple[bool, int]:
        other = traces[name]
        return send_the_same_text(reference, other), abs(other.call_count - reference.call_count)

    name = max(others, key=contrast)
    count = traces[name].call_count
    if count == reference.call_count:
        head = f"{base} and {name} made {_calls(reference)} each"
    else:
        other_count = f"{count:,}" if count else "none"
        head = f"{base} made {_calls(reference)} instead of {name}'s {other_count}"
    same_text = " and sent the same text" if contrast(name)[0] else ""
    return [Bold(head + same_text), _kept_words(base, name, traces), "."]


def _calls(trace: Trace) -> str:
    return counted(trace.call_count, "call") if trace.calls else "no call"


def _kept_words(base: str, name: str, traces: Mapping[str, Trace]) -> str:
    """The share of the reference's words that another answer keeps, as the end of a sentence.

    Those are the words that a word diff keeps, moved or not. "" if an answer is empty, or
    if both are equal, which another sentence says.
    """
    old, new = traces[base].response or "", traces[name].response or ""
    if not old.strip() or not new.strip() or old == new:
        return ""
    diff = word_diff(old, new)
    words = diff.kept + diff.dropped
    if not words:
        return ""
    return f"; {name}'s answer keeps {percent(diff.kept, words)} of the words of {base}'s"


def _speed(traces: Mapping[str, Trace], reference: str) -> list[str]:
    """The sentence on time, of runs by the name of their column; `reference` is one of them.

    It prefers a column with as many calls as the reference of which more (or fewer) ran at
    once; otherwise it names the slowest and the fastest. Runs with reused answers are left
    out, since their times say nothing.
    """
    timed = {
        name: trace
        for name, trace in traces.items()
        if trace.calls and not any(call.replayed for call in trace.calls)
    }
    return _faster_in_parallel(timed, reference) or _slowest_and_fastest(timed)


def _faster_in_parallel(timed: Mapping[str, Trace], reference: str) -> list[str]:
    base = timed.get(reference)
    for name, trace in timed.items():
        if base is None or trace.call_count != base.call_count:
            continue
        pair = sorted(((name, trace), (reference, base)), key=lambda named: named[1].seconds)
        (fast_name, fast), (slow_name, slow) = pair
        at_once = most_at_once(fast.calls)
        if _notably_faster(fast, slow) and at_once > most_at_once(slow.calls):
            return [
                f"{fast_name} was faster than {slow_name} with the same number of calls:"
                f" {at_once:,} of its {fast.call_count:,} ran at once."
            ]
    return []


def _notably_faster(fast: Trace, slow: Trace) -> bool:
    """Whether anybody would notice the difference."""
    return slow.seconds >= _AWAITED and fast.seconds <= _NOTABLE * slow.seconds


def most_at_once(calls: Sequence[CallRecord]) -> int:
    """The largest number of calls that were running at one moment."""
    starts = [(call.started, 1) for call in calls if call.seconds]
    ends = [(call.started + call.seconds, -1) for call in calls if call.seconds]
    running = most = 0
    for _, step in sorted(starts + ends):
        running += step
        most = max(most, running)
    return most


def _slowest_and_fastest(timed: Mapping[str, Trace]) -> list[str]:
    if len(timed) < 2:
        return []
    fast_name = min(timed, key=lambda name: timed[name].seconds)
    slow = max(timed.values(), key=lambda trace: trace.seconds)
    if not _notably_faster(timed[fast_name], slow):
        return []
    slow_names = [name for name, trace in timed.items() if trace.seconds == slow.seconds]
    chained = slow.longest_chain == slow.call_count > 1
    calls = f"{counted(slow.call_count, 'call')}{', one after the other' if chained else ''}"
    fast_time = duration(timed[fast_name].seconds)
    return [
        Bold(f"{listed(slow_names)} took longest"),
        f": {duration(slow.seconds)} for {calls}; {fast_name} took {fast_time}.",
    ]


def fitting(sentences: Iterable[Sequence[str]]) -> list[str]:
    """The parts of the sentences that fit on two lines; one that is too long is left out."""
    chosen: list[str] = []
    for sentence in sentences:
        parts = [" ", *sentence] if chosen else [*sentence]
        if sentence and sum(map(len, chosen + parts)) <= FINDINGS_LENGTH:
            chosen += parts
    return chosen
