"""The trade-off: what each column of a comparison costs against what its answers are worth."""

from ui.figures.trade_off.data import Point, TradeOff
from ui.figures.trade_off.draw import trade_off_alt, trade_off_figure

__all__ = ["Point", "TradeOff", "trade_off_alt", "trade_off_figure"]
