"""What every page begins with: page config, styles, the menu of pages."""

from __future__ import annotations

import gc
from pathlib import Path

import streamlit as st

from synth import plugins
from synth.errors import SynthError
from synth.tokens import DEFAULT_ENCODING, get_tokenizer
from ui import workspace
from ui.style import page_css
from ui.theme import Look
from ui.theme import look as look_of
from ui.words import box

ROOT = Path(__file__).parents[1]
_PAGES = (
    ("app.py", "Playground", ":material/science:"),
    ("pages/compare.py", "Compare", ":material/view_column:"),
    ("pages/what_if.py", "What if", ":material/show_chart:"),
    ("pages/learn.py", "Learn", ":material/school:"),
    ("pages/runs.py", "Runs", ":material/history:"),
)

# Streamlit's header is empty here: the menu takes its place, and must be above it to be clicked.
_MENU = ".st-key-menu { margin: -2.9rem 0 -.6rem; position: relative; z-index: 999991; }"


def frame(title: str) -> Look:
    """Begin a page: its config, our styles, the menu; returns the colours of its theme."""
    st.set_page_config(page_title=f"{title} · response synthesis", layout="wide")
    problem = _start()
    look = look_of(dark=st.context.theme.type == "dark")
    st.html(f"<style>{page_css(look)}{_MENU}</style>")
    space = workspace.current()
    with st.container(horizontal=True, key="menu", gap="small"):
        for path, label, icon in _PAGES:
            if (ROOT / path).exists():
                st.page_link(path, label=label, icon=icon, query_params={"w": space.id})
    if problem is not None:
        box("A mode is missing.", problem)
    return look


@st.cache_resource(show_spinner=False)
def _start() -> str | None:
    """Once a server: load what stays for good, and keep the collector from reading it again.

    Returns what went wrong with a custom mode.

    Streamlit collects all garbage after every rerun; with everything loaded so far frozen,
    a rerun takes about 70 ms less.
    """
    problem = None
    try:
        plugins.load()
    except SynthError as error:
        problem = str(error)
    get_tokenizer(DEFAULT_ENCODING)
    gc.collect()
    gc.freeze()
    return problem
