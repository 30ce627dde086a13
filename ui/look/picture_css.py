"""The stylesheet of pictures, and of what they say where the pointer is."""

from __future__ import annotations

from ui.look.theme import Look

_WIDE = 1000  # pixels of its own up to which a funnel has its panels one below the other
_PHONE = 570  # pixels up to which it has the form for a phone


def picture_css(look: Look) -> str:
    """The rules for one look."""
    return f"""
/* The funnel has the form for which it has room itself; others go with what the page's width moves
   as well, such as the slider below a step. */
.st-key-funnel .pictures {{ container-type: inline-size; }}
@container (max-width: {_WIDE}px) {{ .st-key-funnel .wide {{ display: none; }} }}
@container (min-width: {_WIDE}.1px) {{ .st-key-funnel .middle {{ display: none; }} }}
@container (min-width: {_PHONE}.1px) {{ .st-key-funnel .narrow {{ display: none; }} }}
@container (max-width: {_PHONE}px) {{ .st-key-funnel .middle {{ display: none; }} }}
.figure {{ overflow: hidden; font-size: 12px; fill: {look.ink}; }}
.figure svg {{ display: block; overflow: visible; }}
.figure text {{ pointer-events: none; }}
.figure foreignObject {{ pointer-events: none; }}
.figure .shortened {{ overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }}
.figure .bold {{ font-weight: 650; }}
.figure .outline {{ fill: none; pointer-events: none; }}
.figure svg svg path {{ vector-effect: non-scaling-stroke; pointer-events: none; }}
.clickable [data-mark] {{ cursor: pointer; }}
.says {{ position: fixed; z-index: 999992; max-width: min(520px, calc(100vw - 8px));
  padding: 4px 8px; border: 1px solid {look.muted}; background: {look.panel}; color: {look.ink};
  font-size: 13px; white-space: pre-line; pointer-events: none; }}"""
