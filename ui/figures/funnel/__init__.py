"""The fact funnel: how far each fact came in each column of a comparison."""

from ui.figures.funnel.data import Fate, Funnel, FunnelFact, Panel
from ui.figures.funnel.draw import funnel_alt, funnel_figure

__all__ = ["Fate", "Funnel", "FunnelFact", "Panel", "funnel_alt", "funnel_figure"]
