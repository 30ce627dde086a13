"""Compare: modes, templates or models side by side."""

from __future__ import annotations

from ui.compare import page
from ui.frame import frame

frame("Compare")
page.draw()
