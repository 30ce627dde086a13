"""Small pieces of the page in its style; all of them take foreign text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st
from plotly.basedatatypes import BaseFigure
from streamlit.delta_generator import DeltaGenerator

from ui.look.escape import escape, sentence_html, visible
from ui.look.theme import CONFIG, Figure

if TYPE_CHECKING:
    import pandas as pd

ROW = 27  # pixels of a row in a table
NARROW, WIDE = 560, 1100
"""Pixels that a view may get: beside the inputs on a page 1,280 wide, or alone on one of 1,440."""
STACKED = 490
"""Pixels beside the sidebar on a page 800 wide."""

Clicked = Callable[[Sequence[Any]], None]


def section(text: str) -> None:
    """A small heading."""
    st.html(f'<div class="section num">{escape(text)}</div>')


def small(text: str) -> None:
    """A muted line."""
    st.html(f'<div class="small muted num">{escape(text)}</div>')


def sentence(parts: Iterable[str]) -> None:
    """The sentence of a view; what is `Bold` is bold."""
    st.html(sentence_html(parts))


def box(head: str, text: str) -> DeltaGenerator:
    """A finding or a problem in a box: what it is in bold, and the rest; more can go in."""
    container = st.container(border=True, gap="xsmall")
    container.html(f'<div class="num" role="status"><b>{escape(head)}</b> {escape(text)}</div>')
    return container


def table(
    frame: pd.DataFrame, column_config: Mapping[str, Any] | None = None, **options: Any
) -> Any:
    """A frame whose texts hold nothing that could break the page; whole numbers are grouped."""
    safe = frame.map(lambda value: visible(value) if isinstance(value, str) else value)
    whole = frame.select_dtypes("integer").columns
    numbers = dict.fromkeys(whole, st.column_config.NumberColumn(format="localized"))
    columns = numbers | dict(column_config or {})
    return st.dataframe(safe, hide_index=True, column_config=columns, **options)


class _AsItIs(BaseFigure):  # type: ignore[misc]
    """A figure that `st.plotly_chart` sends as it is: a dict it would check and copy first."""

    def __init__(self, figure: Figure) -> None:
        self._figure = figure  # without super(), which makes the objects that take the time

    def to_dict(self) -> Figure:
        """What is sent."""
        return self._figure


def chart(figure: Figure, key: str, alt: str, clicked: Clicked | None = None) -> None:
    """A figure in our own look, with a name for those who can't see it.

    `clicked` gets what Plotly calls the customdata of the mark that was clicked.
    """
    selecting: dict[str, Any] = {}
    if clicked is not None:
        selecting = {"on_select": partial(_clicked, key, clicked), "selection_mode": "points"}
    st.plotly_chart(
        _AsItIs(figure),
        key=key,
        theme=None,
        width="stretch",
        alt=alt,
        config=dict(CONFIG),
        **selecting,
    )


def _clicked(key: str, clicked: Clicked) -> None:
    for point in st.session_state[key]["selection"]["points"]:
        if customdata := point.get("customdata"):  # words on a figure have none
            clicked(customdata)


def at_two_widths(
    make: Callable[[int], Figure], key: str, alt: str, clicked: Clicked | None = None
) -> None:
    """The figure that `make` gives for a width in pixels; the stylesheet shows one of the two.

    For figures that can't just shrink: only the browser knows the width of the page.
    """
    for size, width in (("wide", WIDE), ("narrow", STACKED)):
        with st.container(key=f"{size}_figure {key}"):
            chart(make(width), f"{size} {key}", alt, clicked)
