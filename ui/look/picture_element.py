"""A picture on a page: it says what the pointer is on, and tells of clicks (`picture.js`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from ui.look.escape import escape
from ui.look.picture import Picture
from ui.look.scripts import javascript

Clicked = Callable[[Any], None]

_component = st.components.v2.component("picture", js=javascript("picture"), isolate_styles=False)
_NAMES = ("wide", "middle", "narrow")


def draw_picture(
    pictures: Sequence[Picture], key: str, alt: str, clicked: Clicked | None = None
) -> None:
    """Put a picture on the page, or one each for several widths, of which that with room is shown.

    `alt` describes it for people who can't see it. `clicked` gets the customdata (Plotly's
    word) of the bar that was clicked.
    """
    names = _NAMES if len(pictures) > 1 else ("",)
    label = escape(alt)
    html = "".join(
        f'<div class="figure {name}" role="img" aria-label="{label}">{one.svg}</div>'
        for name, one in zip(names, pictures, strict=True)
    )
    if clicked is None:
        _component(key=key, data=f'<div class="pictures">{html}</div>'.encode())
        return

    def tell() -> None:
        name = st.session_state[key]["clicked"]
        for one in pictures:
            if name in one.marks:
                clicked(one.marks[name])

    clickable = f'<div class="pictures clickable">{html}</div>'
    _component(key=key, data=clickable.encode(), on_clicked_change=tell)
