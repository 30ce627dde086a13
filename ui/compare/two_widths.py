"""A figure that can't just shrink, for a wide page and for a narrow one."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.theme import Figure
from ui.views import WIDE
from ui.words import chart

_NARROW = 490  # pixels beside the sidebar on a page 800 wide


def at_two_widths(make: Callable[[int], Figure], key: str, alt: str) -> None:
    """The figure that `make` gives for a width in pixels; the stylesheet shows one of the two.

    Only the browser knows the width of the page.
    """
    for size, width in (("wide", WIDE), ("narrow", _NARROW)):
        with st.container(key=f"{size}_figure {key}"):
            chart(make(width), f"{size} {key}", alt)
