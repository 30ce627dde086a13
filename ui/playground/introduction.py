"""The row that says what happens on the page, with three ways in; it goes away once it is used."""

from __future__ import annotations

import streamlit as st

from synth.quality.samples import SAMPLES
from ui.controls import chunks
from ui.lessons import LESSONS
from ui.look.elements import lead
from ui.look.html import tag
from ui.runs import start
from ui.session import keys, parts, workspace
from ui.settings import state
from ui.settings.request import Request

_WORDS = tag(
    "div.headline",
    tag("b", "Retrieval found the chunks. Now they must become one answer."),
    " ",
    tag(
        "span.muted",
        "Compare the response modes of LlamaIndex by calls, tokens and text cut off, before you"
        " pay.",
    ),
)


def draw() -> None:
    """Draw the row, unless it was used or dismissed in this workspace."""
    parts.part("introduction", _is_new, _draw)


def _is_new() -> bool:
    return keys.INTRODUCED not in workspace.current().values


def _draw(new: bool) -> None:
    if not new:
        return
    with st.container(key="introduction"), lead():
        st.html(_WORDS, width="stretch")
        st.button("Run the sample", icon=":material/play_arrow:", on_click=_run_sample)
        st.button("Use my own text", icon=":material/content_paste:", on_click=_open_own_text)
        if st.button("5-minute lesson", icon=":material/school:"):
            _done()
            lesson = workspace.address(lesson=LESSONS[0].key)
            st.switch_page("pages/learn.py", query_params=lesson)
        st.button("Hide this row", icon=":material/close:", type="tertiary", on_click=_hide)


def _done() -> None:
    workspace.current().values[keys.INTRODUCED] = True


def _hide() -> None:
    _done()
    parts.follow()


def _run_sample() -> None:
    _done()
    chunks.put_sample(SAMPLES[0])
    start.start(Request.of(state.current()))
    st.rerun()


def _open_own_text() -> None:
    _done()
    st.session_state[keys.OWN_TEXT] = True
    st.session_state[keys.PASTES] = True
    parts.follow()
