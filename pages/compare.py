"""Compare: modes, templates or models side by side."""

from ui.frame import frame
from ui.pages.compare import page

frame("Compare")
page.draw()
