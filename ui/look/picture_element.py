"""A picture on a page: it says what the pointer is on, and tells of clicks (`picture.js`)."""

import json
from collections.abc import Callable

import streamlit as st

from synth.pictures.shapes import HATCHES, Click, Shown
from ui.look.scripts import javascript

Clicked = Callable[[Click], None]

_component = st.components.v2.component(
    "picture",
    js=f"const HATCHES = {json.dumps(HATCHES)};\n{javascript('picture')}",
    isolate_styles=False,
)


def draw_picture(shown: Shown, key: str, clicked: Clicked | None = None) -> None:
    """Put a picture on the page, or one each for several widths, of which that with room is seen.

    `clicked` gets what the box tells that was clicked.
    """
    if clicked is None:
        _component(key=key, data=f'<div class="pictures">{shown.html}</div>'.encode())
        return

    def tell() -> None:
        click = shown.clicks.get(st.session_state[key]["clicked"])
        if click is not None:
            clicked(click)

    html = f'<div class="pictures clickable">{shown.html}</div>'
    _component(key=key, data=html.encode(), on_clicked_change=tell)
