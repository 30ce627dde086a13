"""What if: every mode at other values of one setting."""

from __future__ import annotations

from ui import sidebar, state
from ui.frame import frame
from ui.what_if import page

look = frame("What if")
sidebar.draw()
state.remember()
page.draw(look)
