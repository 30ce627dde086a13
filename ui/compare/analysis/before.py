"""What there is to say of a comparison before it is run."""

from __future__ import annotations

from collections.abc import Sequence

from synth.equivalence import same_prompts
from synth.response_synthesizers.registry import MODES
from synth.wording import listed, ranged
from ui.compare.analysis.entry import Entry, Plans, names
from ui.compare.analysis.lost import would_lose
from ui.compare.analysis.sentences import fitting
from ui.look.escape import Bold
from ui.plan.cost import cost_at_most

_Planned = dict[str, tuple[Entry, Plans]]
"""The columns whose plans come to their end, by name."""


def planned_findings(entries: Sequence[Entry]) -> list[str]:
    """The sentence before a run, for `ui.look.escape.sentence_html`: two lines at most.

    In this order, as far as there is room: which columns can't run to their end; calls and
    cost together; which send the very same prompts; which lose text; the longest chain.
    """
    named = list(zip(names(entries), entries, strict=True))
    planned = {name: (entry, entry.plans) for name, entry in named if entry.plans}
    whole = all(entry.plans or entry.refused is not None for entry in entries)
    same = _same(planned)
    runs = {name: plans.high for name, (_, plans) in planned.items()}
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
    ranges = [plans.bounds.calls for _, plans in planned.values()]
    least, most = (sum(ends) for ends in zip(*ranges, strict=True))
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
    return cost_at_most((entry.request.model, plans.bounds) for entry, plans in planned.values())


def _same(planned: _Planned) -> list[str]:
    """The largest group of columns that would send the same, with short and long answers."""
    who = list(planned)
    each = [plans for _, plans in planned.values()]
    short = {frozenset(group) for group in same_prompts([plans.low for plans in each])}
    long = same_prompts([plans.high for plans in each])
    groups = [group for group in long if any(set(group) <= other for other in short)]
    return [who[at] for at in max(groups, key=len, default=())]


def _longest_chain(planned: _Planned) -> list[str]:
    """Who has the longest chain whatever the answers are, and who makes as many calls at once."""
    bounds = {name: plans.bounds for name, (_, plans) in planned.items()}
    name = max(bounds, key=lambda one: bounds[one].longest_chain.low, default="")
    others = [found for other, found in bounds.items() if other != name]
    if not others or bounds[name].longest_chain.low <= max(
        1, *(other.longest_chain.high for other in others)
    ):
        return []
    calls, chain = ranged(*bounds[name].calls), ranged(*bounds[name].longest_chain)
    what = f"{calls} calls" if calls == chain else f"{chain} of its {calls} calls"
    alike = [
        other
        for other, found in bounds.items()
        if found.longest_chain == (1, 1) and found.calls == bounds[name].calls
    ]
    verb = "makes" if len(alike) == 1 else "make"
    too = f" {listed(alike)} {verb} as many, but all at once." if alike else ""
    return [Bold(f"{name} has the longest chain"), f": {what}, one after the other.{too}"]
