"""One quantity against one setting: one line per mode, the one in focus in ink."""

from ui.figures.curves.data import Line, Mark, Panel
from ui.figures.curves.draw import curves_alt, curves_figure

__all__ = ["Line", "Mark", "Panel", "curves_alt", "curves_figure"]
