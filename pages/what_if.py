"""What if: every mode at other values of one setting."""

from __future__ import annotations

from ui import state
from ui.frame import frame
from ui.sidebar.panel import draw_sidebar
from ui.what_if import page

look = frame("What if")
draw_sidebar()
state.remember()
page.draw(look)
