"""What there is to say of a comparison before it is run."""

from __future__ import annotations

from collections.abc import Sequence

from synth.response_synthesizers.registry import MODES
from synth.sameness import same_prompts
from synth.trace import Plan
from synth.wording import dollars, listed, ranged
from ui.compare.analysis.entry import Entry, names
from ui.compare.analysis.lost import would_lose
from ui.compare.analysis.sentences import fitting
from ui.safe import Bold

_Planned = dict[str, tuple[Entry, Plan, Plan]]
"""The columns whose plans come to their end, by name: with short and with long answers."""


def planned_findings(entries: Sequence[Entry]) -> list[str]:
    """The sentence before a run, for `ui.safe.sentence_html`: two lines at most.

    In this order, as far as there is room: which columns can't run to their end; calls and
    cost together; which send the very same prompts; which lose text; the longest chain.
    """
    named = list(zip(names(entries), entries, strict=True))
    planned = {name: (entry, *entry.plans) for name, entry in named if entry.plans}
    whole = all(entry.plans or entry.refused is not None for entry in entries)
    same = _same(planned)
    runs = {name: high for name, (_, _, high) in planned.items()}
    return fitting(
        [
            _troubles(named),
            _together(planned, entries, shared=bool(same)),
            [Bold(listed(same)), " would send the very same prompts."] if same else [],
            would_lose(runs, whole),
            _longest_chain(planned) if whole else [],
        ]
    )


def _troubles(named: Sequence[tuple[str, Entry]]) -> list[str]:
    found: dict[str, list[str]] = {}
    for name, entry in named:
        if entry.refused is not None:
            found.setdefault("would be refused", []).append(name)
        elif entry.plans is None and entry.high is None:
            found.setdefault("can be run, not planned", []).append(name)
        elif entry.plans is None:
            found.setdefault("would stop before the end", []).append(name)
    parts = [part for what, who in found.items() for part in ("; ", Bold(listed(who)), f" {what}")]
    return [*parts[1:], "."] if parts else []


def _together(planned: _Planned, entries: Sequence[Entry], shared: bool) -> list[str]:
    """Calls and dollars of all columns that can be planned; `shared`: one run may serve two."""
    if not planned:
        return []
    who = _all_of(planned, entries)
    if len(planned) > 1:
        who = f"Each on its own, {who[0].lower()}{who[1:]}" if shared else f"{who} together"
    pairs = [sorted((low.call_count, high.call_count)) for _, low, high in planned.values()]
    least, most = map(sum, zip(*pairs, strict=True))
    calls = ranged(least, most, "call") if most else "no call"
    return [who, " would make ", Bold(calls), _cost(planned), "."]


def _all_of(planned: _Planned, entries: Sequence[Entry]) -> str:
    """What a sentence calls all columns that can be planned."""
    count = len(planned)
    if count == 1:
        return next(iter(planned))
    if count < len(entries):
        return f"The other {count:,}"
    if {entry.request.mode for entry in entries} == set(MODES) and count == len(MODES):
        return f"All {'nine' if count == 9 else count} modes"
    return "Both columns" if count == 2 else f"The {count:,} columns"


def _cost(planned: _Planned) -> str:
    """What the calls cost, as the end of a sentence; nothing where none could cost anything."""
    costing = [
        (entry, (low, high))
        for entry, low, high in planned.values()
        if high.calls and not entry.free
    ]
    known = [
        sorted(entry.price.of(plan.prompt_tokens, plan.output_tokens) for plan in plans)
        for entry, plans in costing
        if entry.price
    ]
    if not known:
        return ", price unknown" if costing else ""
    least, most = (dollars(sum(amounts)) for amounts in zip(*known, strict=True))
    partly = ", as far as prices are known" if len(known) < len(costing) else ""
    return f" for {f'about {most}' if least == most else f'{least} to {most}'}{partly}"


def _same(planned: _Planned) -> list[str]:
    """The largest group of columns that would send the same, with short and long answers."""
    who = list(planned)
    short = {frozenset(group) for group in same_prompts([low for _, low, _ in planned.values()])}
    long = same_prompts([high for _, _, high in planned.values()])
    groups = [group for group in long if any(set(group) <= other for other in short)]
    return [who[at] for at in max(groups, key=len, default=())]


def _longest_chain(planned: _Planned) -> list[str]:
    """Who has the longest chain whatever the answers are, and who makes as many calls at once."""
    chains = {name: _chains(plans) for name, (_, *plans) in planned.items()}
    name = max(chains, key=lambda one: chains[one][1], default="")
    others = [most for other, (_, most) in chains.items() if other != name]
    if not others or chains[name][0] <= max(1, *others):
        return []
    _, low, high = planned[name]
    calls, chain = ranged(low.call_count, high.call_count), ranged(*chains[name])
    what = f"{calls} calls" if calls == chain else f"{chain} of its {calls} calls"
    alike = [
        other
        for other, (_, *plans) in planned.items()
        if _chains(plans) == (1, 1)
        and {plan.call_count for plan in plans} == {low.call_count, high.call_count}
    ]
    verb = "makes" if len(alike) == 1 else "make"
    too = f" {listed(alike)} {verb} as many, but all at once." if alike else ""
    return [Bold(f"{name} has the longest chain"), f": {what}, one after the other.{too}"]


def _chains(plans: Sequence[Plan]) -> tuple[int, int]:
    least, most = sorted(plan.longest_chain for plan in plans)
    return least, most
