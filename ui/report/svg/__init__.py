"""The figures of a report as SVG: each is drawn for a width in pixels, at which words are legible.

They draw the same data as the Plotly figures of the pages. Their colours are CSS variables, so
one drawing serves light, dark and paper.
"""

from ui.report.svg.budget import budget_svg
from ui.report.svg.coverage import coverage_svg
from ui.report.svg.flow import flow_svg
from ui.report.svg.shapes import figure_html, svg_css, svg_patterns
from ui.report.svg.timeline import timeline_svg

__all__ = [
    "budget_svg",
    "coverage_svg",
    "figure_html",
    "flow_svg",
    "svg_css",
    "svg_patterns",
    "timeline_svg",
]
