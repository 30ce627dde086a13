"""Parts of a page: an edit draws only those parts again whose value it changes.

A part shows one value that follows from the settings. After an edit, `follow` compares the
value of each part with the value that was drawn, and has Streamlit run the fragments of the
parts that differ. The rest of the page stays in the browser as it is. An edit that changes which
parts there are draws the whole page. On a page without parts every edit does, as usual in
Streamlit.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple, TypeVar

import streamlit as st

from ui.session import keys

T = TypeVar("T")

_LAYOUT = "layout"  # a part that is the whole page
_UNDRAWN = object()  # the drawn value of an incomplete part: an edit draws it again


class _Part(NamedTuple):
    """The function for the value of a part, the drawn value, and the key of the part around it."""

    compute: Callable[[], object]
    drawn: object
    parent: str | None


_Parts = dict[str, _Part]
_context: ContextVar[tuple[_Parts, str | None] | None] = ContextVar("parts", default=None)
"""While a page is drawn: its parts so far, and the key of the part that is being drawn."""


@contextmanager
def page(layout: Callable[[], object]) -> Iterator[None]:
    """Draw a page in parts; `follow` knows them once the whole page is drawn.

    An edit that changes the value of `layout` draws the whole page.
    """
    parts = {_LAYOUT: _Part(layout, _UNDRAWN, None)}
    with _drawing(parts, None):
        yield
    parts[_LAYOUT] = _Part(layout, layout(), None)
    st.session_state[keys.PARTS] = parts


def forget() -> None:
    """Forget the parts of the page that was drawn before."""
    st.session_state.pop(keys.PARTS, None)


def part(key: str, compute: Callable[[], T], draw: Callable[[T], None]) -> None:
    """Draw the value that `compute` gives, now and again after each edit that changes it.

    What `draw` shows may depend on the value and on the widgets within the part, but on
    nothing else that an edit changes. A part may stand within another part.
    """
    context = _context.get()
    if context is None:
        draw(compute())
        return
    parts, parent = context

    def draw_part() -> None:
        for name in [name for name, inner in parts.items() if inner.parent == key]:
            del parts[name]
        parts[key] = _Part(compute, _UNDRAWN, parent)
        drawn = compute()
        with _drawing(parts, key):
            draw(drawn)
        parts[key] = _Part(compute, drawn, parent)

    st.fragment(draw_part, key=key)()


@contextmanager
def _drawing(parts: _Parts, key: str | None) -> Iterator[None]:
    before = _context.set((parts, key))
    try:
        yield
    finally:
        _context.reset(before)


def follow() -> None:
    """Draw the parts again that an edit changed; the last statement of a widget's callback.

    If no part has changed, Streamlit draws what it would draw after any callback.
    """
    parts: _Parts = st.session_state.get(keys.PARTS, {})
    changed = []
    for key, shown in parts.items():
        if shown.compute() != shown.drawn:
            if key == _LAYOUT:
                st.rerun()
            changed.append(key)
    if changed:
        st.rerun(changed)
