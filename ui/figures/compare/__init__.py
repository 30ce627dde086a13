"""The figures of a comparison: its measures side by side, and the flow of one column, small."""

from ui.figures.compare.measures import measures_alt, measures_figure
from ui.figures.compare.small_flow import small_flow, small_flow_alt

__all__ = ["measures_alt", "measures_figure", "small_flow", "small_flow_alt"]
