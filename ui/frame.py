"""What every page begins with: page config, styles, what a server loads once."""

from __future__ import annotations

import gc

import streamlit as st

from synth import plugins
from synth.errors import SynthError
from synth.tokens import DEFAULT_ENCODING, get_tokenizer
from ui import parts, workspace
from ui.style import page_css
from ui.theme import Look
from ui.theme import look as look_of
from ui.words import box

PAGES = {
    "app.py": "Playground",
    "pages/compare.py": "Compare",
    "pages/what_if.py": "What if",
    "pages/learn.py": "Learn",
}

_FULL_COLLECTION = 1_000  # middle ones before it: seldom, since Streamlit asks for its own


def frame(title: str) -> Look:
    """Begin a page: its config and our styles; returns the colours of its theme."""
    st.set_page_config(page_title=f"{title} · response synthesis", layout="wide")
    problem = _start()
    workspace.enter()
    parts.forget()
    look = look_of(dark=st.context.theme.type == "dark")
    st.html(f"<style>{page_css(look)}</style>")
    _menu()
    if problem is not None:
        box("A mode is missing.", problem)
    return look


def _menu() -> None:
    """The pages, each by a link that keeps the workspace."""
    here = {"w": workspace.current().id}
    with st.container(horizontal=True, gap="xsmall", key="menu"):
        for path, label in PAGES.items():
            st.page_link(path, label=label, query_params=here)


@st.cache_resource(show_spinner=False)
def _start() -> str | None:
    """Once a server: load what stays for good, and keep the collector from reading it again.

    Returns what went wrong with a custom mode.

    Streamlit collects all garbage after every rerun. With everything loaded so far frozen
    that takes about 70 ms less, and without a full collection of Python's own in the middle
    of a rerun a plan of 2,000 chunks is on the screen 60 to 90 ms sooner.
    """
    problem = None
    try:
        plugins.load()
    except SynthError as error:
        problem = str(error)
    get_tokenizer(DEFAULT_ENCODING)
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _FULL_COLLECTION)
    return problem
