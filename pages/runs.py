"""Runs: what was run, found again, opened, and two of them side by side."""

from ui.frame import frame
from ui.pages.runs import page

frame("Runs")
page.draw()
