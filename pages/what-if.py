"""The address of What if as many typed it; it leads where the other one does."""

from ui.pages.playground import by_window

by_window.lead_here()
