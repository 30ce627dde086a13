"""The chunks: their heading and table, a sample, all of them or the best for the question."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from synth import BM25Index, Node
from synth.samples import SAMPLES, Sample
from synth.tokens import get_tokenizer
from ui import paste, state, workspace
from ui.safe import visible
from ui.words import ROW, counted, small

_LISTED = 2_000  # chunks in the table, which travels with each click
_SHOWN = 160  # characters of a chunk in the table
_COLUMNS = {
    "sent as": st.column_config.TextColumn(width=70),
    "#": st.column_config.NumberColumn(width=44),
    "score": st.column_config.NumberColumn(width=62, format="%.2f"),
    "tokens": st.column_config.NumberColumn(width=68, format="localized"),
    "chunk": st.column_config.TextColumn(width="large"),
}
_CHOICES = {"all": "All, in order", "top": "Best for the question"}


class Order(NamedTuple):
    """Places of chunks (counted from 0), best first, their scores, and how many are sent."""

    places: tuple[int, ...]
    scores: tuple[float | None, ...]
    sent: int


def order(question: str, chunks: tuple[str, ...]) -> Order:
    """The order in which the settings send the chunks."""
    count = len(chunks)
    if state.get("selection") == "all" or not chunks:
        return Order(tuple(range(count)), (None,) * count, count)
    index = workspace.current().remembered("index", chunks, lambda: _index(chunks))
    found = index.as_retriever(similarity_top_k=count).retrieve(question)
    return Order(
        tuple(int(node.node.node_id) for node in found),
        tuple(node.score for node in found),
        min(int(state.get("top_k")), count),
    )


def _index(chunks: tuple[str, ...]) -> BM25Index:
    return BM25Index([Node(text=chunk, id_=str(place)) for place, chunk in enumerate(chunks)])


def draw() -> None:
    """The heading with its two menus, the choice of chunks, and their table."""
    chunks: tuple[str, ...] = state.get("chunks")
    tokens = token_counts(chunks)
    with st.container(horizontal=True, vertical_alignment="center", key="chunks_head"):
        st.html(
            f'<div class="num"><b>Chunks</b> <span class="muted">{len(chunks):,} ·'
            f" {sum(tokens):,} tokens</span></div>",
            width="stretch",
        )
        with st.popover("Paste", icon=":material/content_paste:"):
            paste.draw()
        with st.popover("Sample", icon=":material/menu_book:"):
            for sample in SAMPLES:
                st.button(sample.title, on_click=_load, args=(sample,), width="stretch")
                small(sample.note)
    _choice(len(chunks))
    if chunks:
        _table(chunks, tokens)
    else:
        st.info("There are no chunks: paste a text, or take a sample.")


def token_counts(chunks: tuple[str, ...]) -> list[int]:
    """Tokens of each chunk under the chosen encoding."""
    encoding = state.get("encoding")
    count = get_tokenizer(encoding).count
    return workspace.current().remembered(
        "tokens", (encoding, chunks), lambda: [count(chunk) for chunk in chunks]
    )


def _load(sample: Sample) -> None:
    state.put(
        question=sample.question,
        chunks=sample.chunks,
        window=sample.window,
        num_output=sample.num_output,
    )


def _choice(count: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "Which chunks are sent",
            list(_CHOICES),
            format_func=lambda name: _CHOICES[name],
            default="all",
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


def _table(chunks: tuple[str, ...], tokens: list[int]) -> None:
    places, scores, sent = order(state.get("question"), chunks)
    columns: dict[str, list[Any]] = {"#": [place + 1 for place in places]}
    if state.get("selection") == "top":
        left_out = len(places) - sent
        columns = {"sent as": [*map(str, range(1, sent + 1)), *["left out"] * left_out], **columns}
        columns["score"] = list(scores)
        room = sum(tokens[place] for place in places[:sent])
        small(
            f"{counted(sent, 'chunk')} with {room:,} of {sum(tokens):,} tokens go in,"
            f" {left_out:,} are left out."
        )
    if len(places) > _LISTED:
        small(f"The first {_LISTED:,} are listed.")
        columns = {name: values[:_LISTED] for name, values in columns.items()}
        places = places[:_LISTED]
    columns["tokens"] = [tokens[place] for place in places]
    columns["chunk"] = [visible(chunks[place][:_SHOWN]) for place in places]
    st.dataframe(
        pd.DataFrame(columns),
        hide_index=True,
        row_height=ROW,
        height=min(ROW * len(places) + 34, 290),
        column_config=_COLUMNS,
        alt="The chunks: number, tokens, first words",
    )
