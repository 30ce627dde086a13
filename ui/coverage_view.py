"""The view of what is sent of each chunk, how often, and what never is."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.coverage import ChunkCoverage
from ui.figures import coverage_alt, coverage_strips
from ui.safe import Bold, key_html
from ui.views import Shown, drawable
from ui.words import chart, counted, sentence


def draw(shown: Shown) -> None:
    """What is sent of each chunk."""
    chunks = shown.run.coverage
    sentence(shown.kept("fate", lambda: _fate(chunks, planned=shown.planned)))
    if not drawable(shown):
        return
    st.html(key_html(["sent", "twice", "lost"]))
    figure = shown.kept("coverage", lambda: coverage_strips(chunks, shown.look, shown.width))
    chart(figure, "coverage", coverage_alt(chunks))


def _fate(chunks: Sequence[ChunkCoverage], planned: bool) -> list[str]:
    lost, total = sum(chunk.lost_tokens for chunk in chunks), sum(chunk.tokens for chunk in chunks)
    twice = sum(chunk.repeated_characters for chunk in chunks)
    again = f"; {counted(twice, 'character')} in more than one call." if twice else "."
    if not lost:
        sent = "would be sent" if planned else "was sent"
        return [Bold("Nothing is lost:"), f" all {total:,} tokens of the chunks {sent}{again}"]
    cut = counted(sum(bool(chunk.lost) for chunk in chunks), "chunk")
    fate = "would never be sent" if planned else "were never sent"
    return [Bold(f"{lost:,} of {total:,} tokens"), f" {fate}, in {cut}{again}"]
