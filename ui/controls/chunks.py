"""The chunks: their heading, where they come from, which are sent, their table and editor."""

from __future__ import annotations

from typing import Any

import streamlit as st

from synth.samples import SAMPLES, Sample
from ui.controls import chunk_changes, chunk_editor, chunk_table, paste
from ui.look.elements import small
from ui.session import parts
from ui.settings import state
from ui.settings.chunk_list import Chunks, from_texts
from ui.settings.chunk_order import token_counts


def draw() -> None:
    """The heading with its two menus, the choice of chunks, their table and the editor."""
    parts.part("chunks", _shown, _draw)


def _shown() -> tuple[Chunks, tuple[Any, ...]]:
    """The chunks, and all else that their heading, their table and their order come from."""
    ranked = state.get("selection") == "top"
    by = (state.get("question"), state.get("top_k")) if ranked else ()
    return state.get("chunks"), (state.get("encoding"), ranked, *by)


def _draw(shown: tuple[Chunks, tuple[Any, ...]]) -> None:
    chunks, _ = shown
    tokens = token_counts(chunks, state.get("encoding"))
    with st.container(horizontal=True, vertical_alignment="center", key="chunks_head"):
        st.html(
            f'<div class="num"><b>Chunks</b> <span class="muted">{len(chunks):,} ·'
            f" {sum(tokens):,} tokens</span></div>",
            width="stretch",
        )
        with st.popover("Paste or upload", icon=":material/content_paste:"):
            paste.draw()
        with st.popover("Sample", icon=":material/menu_book:"):
            for sample in SAMPLES:
                st.button(sample.title, on_click=_load, args=(sample,), width="stretch")
                small(sample.note)
    with st.container(horizontal=True, vertical_alignment="center"):
        _choice(sum(chunk.on for chunk in chunks))
        st.space("stretch")
        chunk_editor.undo_button()
    if chunks:
        chunk_table.draw(chunks, tokens)
        chunk_editor.draw(chunks, tokens)
    else:
        st.info("There are no chunks: paste a text, or take a sample.")


def _load(sample: Sample) -> None:
    chunk_changes.change("a sample", from_texts(sample.chunks, "sample"))
    state.take(question=sample.question, window=sample.window, num_output=sample.num_output)


def _choice(count: int) -> None:
    st.segmented_control(
        "Which chunks are sent",
        list(state.LABELS["selection"]),
        format_func=lambda name: state.LABELS["selection"][name],
        default=state.setting("selection").default,
        required=True,
        label_visibility="collapsed",
        **state.widget("selection"),
    )
    if state.get("selection") == "top":
        st.number_input(
            "How many",
            1,
            10_000,
            value=state.setting("top_k").default,
            width=130,
            label_visibility="collapsed",
            **state.widget("top_k"),
        )
        small(f"of {count:,}, by BM25")
