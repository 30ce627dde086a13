"""Figures of plans and runs in Plotly's terms: pure functions of data, without Streamlit."""

from ui.figures.budget import (
    BARS,
    BudgetRow,
    bar_height,
    budget_alt,
    budget_bars,
    budget_row,
    budget_strip,
    legend_kinds,
)
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
