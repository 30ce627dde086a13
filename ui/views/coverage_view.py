"""The view Coverage: the text of each chunk that is sent once, several times, or cut off."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.coverage import ChunkCoverage
from ui.figures import coverage_alt, coverage_strips
from ui.look.elements import section, sentence, small
from ui.look.escape import chunk_html, legend_html
from ui.look.picture import Picture, picture
from ui.look.picture_element import draw_picture
from ui.session import keys
from ui.trace.coverage_sentence import coverage_sentence
from ui.views.shared import RunView, drawable


def draw(view: RunView) -> None:
    """Draw the coverage of all chunks, and the text of one of them."""
    chunks = view.run.coverage
    sentence(view.remembered("coverage sentence", lambda: coverage_sentence(view.run)))
    if not chunks or not drawable(view):
        return
    st.html(legend_html(_kinds(chunks)))

    def drawn() -> Picture:
        return picture(coverage_strips(chunks, view.look, view.width), "coverage")

    draw_picture([view.remembered("coverage", drawn)], "coverage", coverage_alt(chunks), _clicked)
    _text(chunks)


def _kinds(chunks: Sequence[ChunkCoverage]) -> list[str]:
    """The meanings for the legend of this figure."""
    parts = [part for chunk in chunks for part in chunk.stretches]
    in_figure = {
        "sent": any(len(part.calls) == 1 for part in parts),
        "twice": any(len(part.calls) > 1 for part in parts),
        "lost": any(chunk.lost for chunk in chunks),
    }
    return [kind for kind, present in in_figure.items() if present]


def _clicked(number: int) -> None:
    st.session_state[keys.OPEN_CHUNK] = number


def _text(chunks: Sequence[ChunkCoverage]) -> None:
    """The text of the clicked chunk, or else of the first chunk that is cut off."""
    first = next((chunk.number for chunk in chunks if chunk.lost), 1)
    number = max(1, min(int(st.session_state.get(keys.OPEN_CHUNK, first)), len(chunks)))
    st.session_state[keys.OPEN_CHUNK] = number
    st.number_input("Chunk to read", 1, len(chunks), key=keys.OPEN_CHUNK, width=150)
    chunk = chunks[number - 1]
    lost = f"{chunk.lost_tokens:,} of {chunk.tokens:,} tokens are cut off"
    with st.container(border=True):
        section(f"Chunk {number}: {lost if chunk.lost else 'all of it is sent'}")
        lost_parts = {(part.start, part.end) for part in chunk.lost}
        parts = [
            (chunk.text[start:end], (start, end) in lost_parts)
            for start, end, *_ in chunk.stretches
        ]
        st.html(chunk_html(parts))
    small("Click a strip to read its chunk.")
