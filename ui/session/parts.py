"""Parts of a page: after an edit only those are drawn again that show something else.

A part shows one value, which the settings make. `follow` looks at the value of every part
and has Streamlit run the fragments of those whose value is another now; all else stays in
the browser as it is. On a page without parts an edit draws all of it, as ever in Streamlit.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple, TypeVar

import streamlit as st

from ui.session import keys

T = TypeVar("T")

_UNDRAWN = object()  # shown by a part until all of it is drawn: an edit may come in between


class _Part(NamedTuple):
    """What a part shows now, what was drawn of it, and the part that it stands in."""

    shows: Callable[[], object]
    drawn: object
    around: str | None


_Parts = dict[str, _Part]
_turn = threading.Lock()
_own = threading.local()  # `turn`, in a thread that draws a part: whether it has the turn
_PATIENCE = 0.3  # seconds: somebody's part may be a plan of thousands of chunks
_here: ContextVar[tuple[_Parts, str | None] | None] = ContextVar("parts", default=None)
"""While a page is drawn: its parts so far, and the one that is being drawn."""


@contextmanager
def page() -> Iterator[None]:
    """Draw a page in parts; `follow` knows them once all of it is drawn."""
    parts: _Parts = {}
    with _drawing(parts, None):
        yield
    st.session_state[keys.PARTS] = parts


def forget() -> None:
    """Begin a page: the parts of the one before are gone."""
    st.session_state.pop(keys.PARTS, None)


def part(key: str, shows: Callable[[], T], draw: Callable[[T], None]) -> None:
    """Have `draw` show a value, now and after each edit that makes it another.

    What it draws may depend on the value and on the part's own widgets, and on nothing else
    that an edit changes. A part may stand in another one.
    """
    here = _here.get()
    if here is None:
        draw(shows())
        return
    parts, around = here

    def drawn() -> None:
        for inner in [name for name, one in parts.items() if one.around == key]:
            del parts[inner]
        parts[key] = _Part(shows, _UNDRAWN, around)
        with _in_turn():
            value = shows()
            with _drawing(parts, key):
                draw(value)
        parts[key] = _Part(shows, value, around)

    st.fragment(drawn, key=key)()


@contextmanager
def _in_turn() -> Iterator[None]:
    """Draw while nobody else's part is drawn, or after some patience all the same.

    Python runs one thread at a time. Sixty parts that take turns at every few milliseconds
    all end late; one after the other, most end early.
    """
    if hasattr(_own, "turn"):  # a part within a part
        yield
        return
    _own.turn = _turn.acquire(timeout=_PATIENCE)
    try:
        yield
    finally:
        if _own.turn:
            _turn.release()
        del _own.turn


@contextmanager
def meanwhile() -> Iterator[None]:
    """Wait for something in the middle of a part, while those of others are drawn."""
    if not getattr(_own, "turn", False):
        yield
        return
    _turn.release()
    _own.turn = False
    try:
        yield
    finally:
        _own.turn = _turn.acquire(timeout=_PATIENCE)


@contextmanager
def _drawing(parts: _Parts, key: str | None) -> Iterator[None]:
    before = _here.set((parts, key))
    try:
        yield
    finally:
        _here.reset(before)


def follow() -> None:
    """Draw again what an edit changed, and nothing else; the last act of a widget's callback.

    Where no part shows anything else, Streamlit draws what it always would.
    """
    parts: _Parts = st.session_state.get(keys.PARTS, {})
    if changed := [key for key, one in parts.items() if one.shows() != one.drawn]:
        st.rerun(changed)
