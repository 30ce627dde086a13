"""The budget of calls: one bar per call, or for many calls a strip of thin columns."""

from ui.figures.budget.bars import budget_bars
from ui.figures.budget.row import (
    BARS,
    BudgetRow,
    bar_height,
    budget_alt,
    budget_row,
    legend_kinds,
)
from ui.figures.budget.strip import budget_strip

__all__ = [
    "BARS",
    "BudgetRow",
    "bar_height",
    "budget_alt",
    "budget_bars",
    "budget_row",
    "budget_strip",
    "legend_kinds",
]
