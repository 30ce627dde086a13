"""The address of What if as it was; it leads to the view By window of the Playground."""

from ui.pages.playground import by_window

by_window.lead_here()
