"""The view Coverage: what is sent of each chunk."""

from collections.abc import Sequence

import streamlit as st

from synth.html.escape import chunk_html, legend_html
from synth.pictures.coverage_picture import draw_coverage
from synth.pictures.scene import Target
from synth.runs.coverage import ChunkCoverage
from synth.runs.trace import Plan, Trace
from synth.words.plan_words import (
    coverage_words,
    cut_off_tokens,
    missing_word,
    missing_words,
    sends_chunks,
)
from ui.look.elements import draw_columns, section, sentence
from ui.session import keys
from ui.views.run_views import draw_remembered, remembered


def draw(run: Plan | Trace) -> None:
    """Draw the coverage of all chunks, and the text of one of them, if the mode sends any."""
    chunks = run.coverage
    sentence(remembered(run, "coverage words", lambda: coverage_words(run)))
    if not chunks or not sends_chunks(run):
        return
    missing = missing_word(run)
    kinds = ["sent", "twice"]
    if cut_off_tokens(run):
        kinds.append("lost")
    if any(chunk.cut_by_server for chunk in chunks):
        kinds.append("unread")

    def clicked(target: Target) -> None:
        st.session_state[keys.OPEN_CHUNK] = target[1]

    left, right = draw_columns("coverage", 5, 4)
    with left:
        st.html(legend_html(kinds))
        draw_remembered(run, "coverage", lambda: draw_coverage(chunks, missing), clicked=clicked)
    with right:
        _draw_text(chunks, missing)


def _draw_text(chunks: Sequence[ChunkCoverage], missing: str) -> None:
    """Draw the text of the clicked chunk, or else of the first one with text that is missing."""
    missed = (chunk.number for chunk in chunks if chunk.lost or chunk.cut_by_server)
    first = next(missed, 1)
    number = max(1, min(int(st.session_state.get(keys.OPEN_CHUNK, first)), len(chunks)))
    st.session_state[keys.OPEN_CHUNK] = number
    st.number_input("Chunk to read", 1, len(chunks), key=keys.OPEN_CHUNK, width=150)
    chunk = chunks[number - 1]
    with st.container(border=True):
        section(f"Chunk {number}: {missing_words(chunk, missing) or 'all of it is sent'}")
        st.html(chunk_html(chunk.texts))
