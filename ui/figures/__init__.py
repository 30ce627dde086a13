"""Figures of plans and runs in Plotly's terms: pure functions of data, without Streamlit."""

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
from ui.figures.coverage import coverage_alt, coverage_strips
from ui.figures.flow import flow_alt, flow_figure

__all__ = [
    "BARS",
    "BudgetRow",
    "bar_height",
    "budget_alt",
    "budget_bars",
    "budget_row",
    "budget_strip",
    "coverage_alt",
    "coverage_strips",
    "flow_alt",
    "flow_figure",
    "legend_kinds",
]
