"""The findings of a comparison before it is run."""

from __future__ import annotations

from collections.abc import Sequence

from synth.equivalence import same_prompts
from synth.response_synthesizers.registry import MODES
from synth.wording import listed, ranged
from ui.compare.analysis.column_data import ColumnData, CompletePlans, fitting, names
from ui.compare.analysis.text_sent import planned_loss
from ui.look.escape import Bold
from ui.plan.cost import cost_at_most

_Planned = dict[str, tuple[ColumnData, CompletePlans]]
"""The columns whose plans finish, by name."""


def plan_findings(columns: Sequence[ColumnData]) -> list[str]:
    """Two lines at most, as parts for `ui.look.escape.sentence_html`.

    In this order, as far as there is room: columns that can't run to their end; calls and
    cost together; columns that send the very same prompts; lost text; the longest chain.
    """
    named = list(zip(names(columns), columns, strict=True))
    planned = {name: (column, column.plans) for name, column in named if column.plans}
    every_column = all(column.plans or column.refused is not None for column in columns)
    same = _largest_same_prompts(planned)
    long_plans = {name: plans.high for name, (_, plans) in planned.items()}
    return fitting(
        [
            _unplanned(named),
            _together(planned, columns, shared=bool(same)),
            [Bold(listed(same)), " would send the very same prompts."] if same else [],
            planned_loss(long_plans, every_column),
            _longest_chain(planned) if every_column else [],
        ]
    )


def _unplanned(named: Sequence[tuple[str, ColumnData]]) -> list[str]:
    """The sentence on columns that have no plan, or whose plan never finishes."""
    groups: dict[str, list[str]] = {}
    for name, column in named:
        if column.refused is not None:
            groups.setdefault("would be refused", []).append(name)
        elif column.plans is None and column.high is None:
            groups.setdefault("can be run but not planned", []).append(name)
        elif column.plans is None:
            groups.setdefault("would stop before the end", []).append(name)
    clauses = [(Bold(listed(group)), f" {predicate}") for predicate, group in groups.items()]
    parts = [part for clause in clauses for part in ("; ", *clause)]
    return [*parts[1:], "."] if parts else []


def _together(planned: _Planned, columns: Sequence[ColumnData], shared: bool) -> list[str]:
    """Calls and dollars of all planned columns; `shared`: one run may serve two of them."""
    if not planned:
        return []
    subject = _subject(planned, columns)
    if len(planned) > 1:
        lower = f"{subject[0].lower()}{subject[1:]}"
        subject = f"Each on its own, {lower}" if shared else f"{subject} together"
    ranges = [plans.bounds.calls for _, plans in planned.values()]
    least, most = (sum(ends) for ends in zip(*ranges, strict=True))
    calls = ranged(least, most, "call") if most else "no call"
    cost = cost_at_most((column.request.model, plans.bounds) for column, plans in planned.values())
    return [subject, " would make ", Bold(calls), cost, "."]


def _subject(planned: _Planned, columns: Sequence[ColumnData]) -> str:
    """The subject of a sentence on all planned columns."""
    count = len(planned)
    if count == 1:
        return next(iter(planned))
    if count < len(columns):
        return f"The other {count:,}"
    if {column.request.mode for column in columns} == set(MODES) and count == len(MODES):
        return f"All {'nine' if count == 9 else count} modes"
    return "Both columns" if count == 2 else f"The {count:,} columns"


def _largest_same_prompts(planned: _Planned) -> list[str]:
    """The largest group that would send the same prompts, with short and with long answers."""
    column_names = list(planned)
    plans = [plans for _, plans in planned.values()]
    short = {frozenset(group) for group in same_prompts([pair.low for pair in plans])}
    long = same_prompts([pair.high for pair in plans])
    groups = [group for group in long if any(set(group) <= other for other in short)]
    return [column_names[position] for position in max(groups, key=len, default=())]


def _longest_chain(planned: _Planned) -> list[str]:
    """The column whose chain is longest whatever the answers say, and its parallel rivals."""
    bounds = {name: plans.bounds for name, (_, plans) in planned.items()}
    name = max(bounds, key=lambda candidate: bounds[candidate].longest_chain.low, default="")
    others = [other for other_name, other in bounds.items() if other_name != name]
    if not others or bounds[name].longest_chain.low <= max(
        1, *(other.longest_chain.high for other in others)
    ):
        return []
    calls, chain = ranged(*bounds[name].calls), ranged(*bounds[name].longest_chain)
    length = f"{calls} calls" if calls == chain else f"{chain} of its {calls} calls"
    parallel = [
        other_name
        for other_name, other in bounds.items()
        if other.longest_chain == (1, 1) and other.calls == bounds[name].calls
    ]
    verb = "makes" if len(parallel) == 1 else "make"
    rivals = f" {listed(parallel)} {verb} as many, but all at once." if parallel else ""
    return [Bold(f"{name} has the longest chain"), f": {length}, one after the other.{rivals}"]
