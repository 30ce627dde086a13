"""The findings of a comparison after it was run."""

from collections.abc import Iterable, Mapping, Sequence

from synth.runs.trace import Trace
from synth.text.diff import word_diff
from synth.text.wording import Bold, counted, listed, percent
from synth.words.count_words import alarm_head
from ui.pages.compare.analysis.text_sent import missed, send_the_same_text
from ui.pages.compare.cells import Cell

FINDINGS_LENGTH = 320
"""Characters of two lines at 16.5 px and 1,300 px wide."""


def run_findings(columns: Sequence[Cell], reference: int = 0) -> list[str]:
    """Two lines at most, as parts for `synth.html.escape.sentence_html`.

    `reference` is the position of the column that the others are compared with; if it has no
    answer, the first column that has one takes its part. In this order, as far as there is
    room: columns without an answer; prompts that a server cut; answers longer than asked; chunks
    that one column misses; the reference against one other in calls, text and words.
    """
    named = {column.name: column for column in columns}
    traces = {name: column.trace for name, column in named.items() if column.trace}
    traces = {name: trace for name, trace in traces.items() if trace.response is not None}
    if not traces:
        return fitting([_failures(named)])
    chosen = [*named][reference]
    base = chosen if chosen in traces else next(iter(traces))
    return fitting(
        [
            _failures(named),
            _cut_by_server(traces),
            _too_long(traces),
            missed(traces),
            _contrast(traces, base),
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


def fitting(sentences: Iterable[Sequence[str]]) -> list[str]:
    """The parts of the sentences that fit on two lines; one that is too long is left out."""
    chosen: list[str] = []
    for sentence in sentences:
        parts = [" ", *sentence] if chosen else [*sentence]
        if sentence and sum(map(len, chosen + parts)) <= FINDINGS_LENGTH:
            chosen += parts
    return chosen
