"""Parts of a page: an edit draws only those parts again whose value it changes.

A part shows one value that follows from the inputs of the page, which are made once for a draw.
After an edit, `redraw_changed` makes new inputs, compares the value of each part with the one that
was drawn, and has Streamlit run the fragments of those that differ. An edit that changes which
parts there are draws the whole page.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from ui.session import keys

Inputs = TypeVar("Inputs")
T = TypeVar("T")

_LAYOUT = "layout"  # a part that is the whole page
_UNDRAWN = object()  # the drawn value of an incomplete part: an edit draws it again


class _Part(NamedTuple):
    """The function for the value of a part, the drawn value, and the key of the part around it."""

    compute: Callable[[Any], object]
    drawn: object
    parent: str | None


@dataclass
class _Page:
    """The function for a page's inputs, its parts, and what an edit hands over to them."""

    make: Callable[[], Any]
    parts: dict[str, _Part] = field(default_factory=dict)
    inputs: Any = None
    values: dict[str, Any] = field(default_factory=dict)


class _Drawing(NamedTuple):
    """What is being drawn: the page, its inputs, and the key of the part."""

    page: _Page
    inputs: Any
    key: str | None


_context: ContextVar[_Drawing | None] = ContextVar("parts", default=None)


@contextmanager
def page(make: Callable[[], Inputs], layout: Callable[[Inputs], object]) -> Iterator[Inputs]:
    """Draw a page in parts, from the inputs that `make` gives; a new `layout` draws all of it."""
    new, inputs = _Page(make), make()
    with _drawing(_Drawing(new, inputs, None)):
        yield inputs
    new.parts = {_LAYOUT: _Part(layout, layout(inputs), None), **new.parts}
    st.session_state[keys.PARTS] = new


def forget() -> None:
    """Forget the parts of the page that was drawn before."""
    st.session_state.pop(keys.PARTS, None)


def forget_values() -> None:
    """Forget the values that `redraw_changed` computed: something has changed since."""
    page: _Page | None = st.session_state.get(keys.PARTS)
    if page is not None:
        page.inputs, page.values = None, {}


def part(
    key: str, inputs: Inputs, compute: Callable[[Inputs], T], draw: Callable[[Inputs, T], None]
) -> None:
    """Draw the value that `compute` gives, now and again after each edit that changes it.

    What `draw` shows may depend on the value and on the widgets within the part, but on
    nothing else that an edit changes. A part may stand within another part.
    """
    outer = _context.get()
    if outer is None:
        draw(inputs, compute(inputs))
        return
    page, parent = outer.page, outer.key

    def draw_part() -> None:
        _forget_within(page, key)
        page.parts[key] = _Part(compute, _UNDRAWN, parent)
        inputs, value = _take_or_compute(page, key, compute)
        with _drawing(_Drawing(page, inputs, key)):
            draw(inputs, value)
        page.parts[key] = _Part(compute, value, parent)

    st.fragment(draw_part, key=key)()


def _forget_within(page: _Page, key: str) -> None:
    """Forget the parts in a part, and those in them: it may draw others now."""
    for name in [name for name, inner in page.parts.items() if inner.parent == key]:
        _forget_within(page, name)
        del page.parts[name]


def _take_or_compute(page: _Page, key: str, compute: Callable[[Inputs], T]) -> tuple[Inputs, T]:
    """Take inputs and value that an edit handed over, else make them, or use those around."""
    outer = _context.get()
    if key not in page.values or (outer is not None and outer.inputs is not page.inputs):
        inputs = page.make() if outer is None else outer.inputs
        return inputs, compute(inputs)
    inputs, value = page.inputs, page.values.pop(key)
    if not page.values:
        page.inputs = None  # which may have large plans
    return inputs, value


@contextmanager
def _drawing(drawing: _Drawing) -> Iterator[None]:
    before = _context.set(drawing)
    try:
        yield
    finally:
        _context.reset(before)


def redraw_changed() -> None:
    """Draw the parts again that an edit changed; ends a widget's callback, unless none has."""
    page: _Page | None = st.session_state.get(keys.PARTS)
    if page is None:
        return
    inputs = page.make()
    values: dict[str, Any] = {}
    for key, part in page.parts.items():
        value = part.compute(inputs)
        if value != part.drawn:
            if key == _LAYOUT:
                st.rerun()
            values[key] = value
    if values:
        page.inputs, page.values = inputs, values
        st.rerun([key for key in values if page.parts[key].parent not in values])
