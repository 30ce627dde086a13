"""What there is to say of a comparison after it was run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synth.equivalence import same_prompts
from synth.trace import Trace
from synth.wording import counted, dollars, listed, percent
from ui.compare.analysis.answers import groups
from ui.compare.analysis.endings import troubles
from ui.compare.analysis.entry import Entry, names
from ui.compare.analysis.lost import did_lose
from ui.compare.analysis.sentences import fitting
from ui.compare.analysis.speed import speed
from ui.compare.analysis.text_sent import send_the_same_text
from ui.look.escape import Bold
from ui.text.diff import word_diff


def findings(entries: Sequence[Entry], reference: int = 0) -> list[str]:
    """The sentence after a run, for `ui.look.escape.sentence_html`: two lines at most.

    `reference` is the place of the column that the others are compared with; where it has no
    answer, that is the first one which has. In this order, as far as there is room: what has
    no answer; who sent the very same prompts; the calls, text and words of the reference
    against one other; who gave the same answer; lost text; time; cost.
    """
    named = dict(zip(names(entries), entries, strict=True))
    done = {name: entry for name, entry in named.items() if entry.answer is not None}
    traces = {name: entry.trace for name, entry in done.items() if entry.trace}
    if not traces:
        return fitting([troubles(named)])
    wanted = [*named][reference]
    base = wanted if wanted in done else next(iter(done))
    same = _same(traces)
    return fitting(
        [
            troubles(named),
            _same_prompts(traces, same, base),
            _contrast(traces, same, base),
            _same_answers(traces, same),
            did_lose(traces, len(traces) == len(entries)),
            speed(traces, base),
            _cost(done),
        ]
    )


def _same(traces: Mapping[str, Trace]) -> list[str]:
    """The names of the largest group that sent the very same prompts."""
    who = list(traces)
    largest = max(same_prompts(list(traces.values())), key=len, default=())
    return [who[at] for at in largest]


def _same_prompts(traces: Mapping[str, Trace], same: Sequence[str], base: str) -> list[str]:
    if not same:
        return []
    head = Bold(f"{listed(same)} sent the very same prompts")
    if len({id(traces[name]) for name in same}) == 1:
        return [head, f", so one run serves {'both' if len(same) == 2 else 'them all'}."]
    if len({traces[name].response for name in same}) == 1:
        return [head, " and got the same answer."]
    others = [name for name in same if name != base]
    words = _answers(base, others[0], traces) if base in same else ""
    return [head, f" and got different answers{words}."]


def _contrast(traces: Mapping[str, Trace], same: Sequence[str], base: str) -> list[str]:
    """The reference against the column that sent the same text with the most other calls."""
    reference = traces[base]
    others = [name for name in traces if name != base and not {name, base} <= set(same)]
    if not others:
        return [] if same else [Bold(_made(base, reference)), "."]

    def telling(name: str) -> tuple[bool, int]:
        other = traces[name]
        return send_the_same_text(reference, other), abs(other.call_count - reference.call_count)

    name = max(others, key=telling)
    count = traces[name].call_count
    if count == reference.call_count:
        head = f"{base} and {name} made {_calls(reference)} each"
    else:
        head = f"{_made(base, reference)} instead of {name}'s {f'{count:,}' if count else 'none'}"
    also = " and sent the same text" if telling(name)[0] else ""
    return [Bold(head + also), _answers(base, name, traces), "."]


def _made(name: str, trace: Trace) -> str:
    return f"{name} made {_calls(trace)}"


def _calls(trace: Trace) -> str:
    return counted(trace.call_count, "call") if trace.calls else "no call"


def _answers(base: str, name: str, traces: Mapping[str, Trace]) -> str:
    """How much of the reference's answer another one keeps, as the end of a sentence.

    That is the share of its words that a word diff keeps, in their order. There is nothing to
    say of an empty answer, and of equal ones another sentence does.
    """
    old, new = traces[base].response or "", traces[name].response or ""
    if not old.strip() or not new.strip() or old == new:
        return ""
    diff = word_diff(old, new)
    words = diff.kept + diff.dropped
    if not words:
        return ""
    return f"; {name}'s answer keeps {percent(diff.kept, words)} of the words of {base}'s"


def _same_answers(traces: Mapping[str, Trace], same: Sequence[str]) -> list[str]:
    """The largest group of columns with one answer, where it says more than was said before."""
    answers = {name: trace.response for name, trace in traces.items() if trace.response}
    who = list(answers)
    largest = next(iter(groups([*answers.values()])), ())
    alike = [who[at] for at in largest]
    if len(alike) < 2 or set(alike) <= set(same):
        return []
    return [f"{listed(alike)} gave the same answer."]


def _cost(done: Mapping[str, Entry]) -> list[str]:
    """The dearest and the cheapest columns, if the cost of all is known."""
    costs = {name: entry.cost(entry.trace) for name, entry in done.items() if entry.trace}
    known = {name: cost for name, cost in costs.items() if cost is not None}
    if len(known) < max(2, len(costs)):
        return []
    least, most = dollars(min(known.values())), dollars(max(known.values()))
    if least == most:
        return []
    cheap, dear = (
        [name for name, cost in known.items() if dollars(cost) == end] for end in (least, most)
    )
    verb = "costs" if len(dear) == 1 else "cost"
    return [
        f"At list prices {listed(dear)} {verb} most ({most}) and {listed(cheap)} least ({least})."
    ]
