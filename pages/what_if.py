"""What if."""

from __future__ import annotations

from ui.frame import frame

look = frame("What if")
