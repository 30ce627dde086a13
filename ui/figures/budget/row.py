"""The budget of one call as the figures need it, the legend and the alternative text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.budget import Budget
from synth.calls import CallRecord, PlannedCall
from synth.trace import Plan, Trace
from synth.wording import counted
from ui.look.escape import plot_text
from ui.look.theme import MEANINGS, SEGMENTS

MANY = 80
"""Calls above which hatches and outlines would be noise."""
BARS = 40
"""The most calls that are shown as bars; more calls are a strip."""


def bar_height(calls: int) -> int:
    """The pixels of a bar and the gap below it, where so many calls are shown."""
    return 34 if calls <= 12 else 26


@dataclass(frozen=True)
class BudgetRow:
    """The budget of one call; `bound`: its answer segment is the longest that was assumed."""

    label: str
    budget: Budget
    bound: bool

    def tokens(self, meaning: str) -> int:
        """Tokens of one segment."""
        return self.budget.tokens(meaning)

    def start(self, meaning: str) -> int:
        """Tokens before a segment."""
        return sum(self.tokens(before) for before in SEGMENTS[: SEGMENTS.index(meaning)])

    @property
    def needed(self) -> int:
        """Tokens of the prompt and of the answer it leaves room for."""
        return self.budget.prompt + self.budget.reserved

    @property
    def arithmetic(self) -> str:
        """The sum of the segments that makes up the window, on two lines."""
        budget = self.budget
        used = [name for name in SEGMENTS if self.tokens(name)]
        terms = " + ".join(f"{MEANINGS[name].short} {self.tokens(name):,}" for name in used)
        over = f" + {budget.over:,} over" if budget.over else ""
        return f"{plot_text(self.label)}: {terms}<br>= window {budget.window:,}{over}"


def budget_row(run: Plan | Trace, call: PlannedCall | CallRecord) -> BudgetRow:
    """The budget of a call of a run."""
    name = call.template.removesuffix("_template")
    bound = isinstance(run, Plan) and call.depth > 0
    return BudgetRow(f"{call.number} · {name}", run.budget(call), bound)


def hovers(rows: Sequence[BudgetRow], meaning: str, sums: Sequence[str]) -> list[str]:
    """What the pointer shows over one segment of each row: its tokens, then the whole sum."""
    label = MEANINGS[meaning].label
    return [
        f"{label} {row.tokens(meaning):,}<br>{whole}" for row, whole in zip(rows, sums, strict=True)
    ]


def legend_kinds(rows: Sequence[BudgetRow]) -> list[str]:
    """The meanings that a legend of these budgets names."""
    return [kind for kind in SEGMENTS if any(row.tokens(kind) for row in rows)]


def windows(rows: Sequence[BudgetRow]) -> set[int]:
    """The windows of these calls; those of one run have the same."""
    return {row.budget.window for row in rows}


def reach(rows: Sequence[BudgetRow]) -> int:
    """The tokens that an axis must hold: the windows, and what goes over them."""
    return max(*windows(rows), *(row.needed for row in rows))


def budget_alt(rows: Sequence[BudgetRow]) -> str:
    """The budgets in one sentence, for those who can't see them."""
    named = " and ".join(f"{window:,}" for window in sorted(windows(rows)))
    fullest = max(rows, key=lambda row: row.needed)
    calls = counted(len(rows), "call")
    at_most = "at most " if fullest.bound else ""
    over = f", {fullest.budget.over:,} over" if fullest.budget.over else ""
    return (
        f"Budget of {calls} in a window of {named} tokens; the fullest needs"
        f" {at_most}{fullest.needed:,}{over}."
    )
