"""The stylesheet of pictures, and of what they say where the pointer is."""

from __future__ import annotations

from ui.look.theme import Look


def picture_css(look: Look) -> str:
    """The rules for one look."""
    return f"""
.figure {{ overflow: hidden; font-size: 12px; fill: {look.ink}; }}
.figure svg {{ display: block; overflow: visible; }}
.figure text {{ pointer-events: none; }}
.figure .bold {{ font-weight: 650; }}
.figure .outline {{ fill: none; pointer-events: none; }}
.figure svg svg path {{ vector-effect: non-scaling-stroke; pointer-events: none; }}
.clickable [data-mark] {{ cursor: pointer; }}
.says {{ position: fixed; z-index: 999992; max-width: min(520px, calc(100vw - 8px));
  padding: 4px 8px; border: 1px solid {look.muted}; background: {look.panel}; color: {look.ink};
  font-size: 13px; white-space: pre-line; pointer-events: none; }}"""
