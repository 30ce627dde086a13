"""Compare: modes, templates or models side by side."""

from __future__ import annotations

from ui.frame import frame
from ui.pages.compare import page

frame("Compare")
page.draw()
