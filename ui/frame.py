"""What every page begins with: page config, styles, what a server loads once."""

from __future__ import annotations

import gc

import streamlit as st

from synth import plugins
from synth.errors import SynthError
from synth.tokens import DEFAULT_ENCODING, get_tokenizer
from ui.look.elements import box
from ui.look.stylesheet import page_css
from ui.look.theme import Look
from ui.look.theme import look as look_of
from ui.session import parts, workspace

PAGES = {
    "app.py": "Playground",
    "pages/compare.py": "Compare",
    "pages/what_if.py": "What if",
    "pages/learn.py": "Learn",
}

_COLLECTIONS = (20_000, 100, 2)
"""Objects that are made, and not yet gone, before Python looks for garbage among them; after
how many such looks it looks among older ones; after how many of these among all.

An edit leaves about 1,500. So the objects of all sessions are read once in some thousands of
edits: with sixty sessions that takes half a second, in which nobody is answered.
"""


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

    Streamlit would collect all garbage after every run of a script (`postScriptGC`), and so
    read what belongs to all sessions: the more people, the less a server would do.
    """
    problem = None
    try:
        plugins.load()
    except SynthError as error:
        problem = str(error)
    get_tokenizer(DEFAULT_ENCODING)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTIONS)
    return problem
