"""A link that opens this very screen for a class, with parts of it hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from ui.learn.place import HIDEABLE, Hideable, Place
from ui.look.elements import small
from ui.session import keys

_WORDS: Mapping[Hideable, str] = {
    "lessons": "The list of lessons",
    "step": "Step",
    "reveal": "Reveal",
    "control": "Change one thing",
    "playground": "Open in the Playground",
}


def draw(place: Place) -> None:
    """The link, with the button of a code block to copy it, and what it is to hide."""
    with st.expander("Copy a teacher's link", icon=":material/school:", key="teacher"):
        small("Hide in it")
        hidden = [
            name
            for name in HIDEABLE
            if st.checkbox(_WORDS[name], name in place.hidden, key=f"hide {name}")
        ]
        step = st.session_state.get(keys.STEP)
        address = (st.context.url or "").partition("?")[0]
        st.code(
            f"{address}?{urlencode(linked(place, hidden, step))}", language=None, wrap_lines=True
        )
        small("It opens this exercise as you see it; it holds no answer of yours.")


def linked(place: Place, hidden: Iterable[Hideable], step: int | None) -> dict[str, str]:
    """The parameters of a link to this place; a stage that is hidden is the last one before."""
    shown = replace(place, hidden=frozenset(hidden)).at(place.stage)
    if step is None or shown.stage != "step":
        return shown.params()
    return shown.params() | {keys.STEP: str(step)}
