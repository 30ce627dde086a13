"""The budget of calls: a bar each (`bars`), or of many calls a thin column each (`strip`)."""

from ui.figures.budget.bars import budget_bars
from ui.figures.budget.row import BudgetRow, budget_alt, legend_kinds
from ui.figures.budget.strip import budget_strip

__all__ = ["BudgetRow", "budget_alt", "budget_bars", "budget_strip", "legend_kinds"]
