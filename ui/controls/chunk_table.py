"""The table of chunks, in which a click on a row opens its chunk in the editor."""

from typing import Any
from unicodedata import bidirectional

import streamlit as st

from synth.text.wording import counted, visible
from ui.look.elements import ROW, Frame, frame, small
from ui.session import keys, workspace
from ui.settings import state
from ui.settings.chunk_list import Chunks, overlaps
from ui.settings.chunk_order import order

_LISTED = 2_000  # chunks in the table, which is sent again after a click
_TEXT_LENGTH = 160  # characters of a chunk that the table shows
_FROM_RIGHT = 44  # of one that is read from the right, which are all in sight
_LEFT = "\u200e"  # the table puts a text with it at the left of its column, which is in sight
_ROWS = 12  # that are seen at once
_HEADER = 36  # pixels, with the borders
_COLUMNS = {
    "on": st.column_config.CheckboxColumn(width=36),
    "sent as": st.column_config.TextColumn(width=62),
    "#": st.column_config.NumberColumn(width=36),
    "score": st.column_config.NumberColumn(width=54, format="%.2f"),
    "tokens": st.column_config.NumberColumn(width=58, format="localized"),
    "overlap": st.column_config.NumberColumn(
        width=66,
        format="localized",
        help="Characters at its start that repeat the end of the chunk before",
    ),
    "chunk": st.column_config.TextColumn(
        "chunk · tick a row to edit, move, switch off or delete it", width=900
    ),
}
"""The text comes last: it fills any width, and what has no room scrolls."""


def draw(chunks: Chunks, tokens: list[int]) -> None:
    """Draw the table: the chunks that are sent in their order, and after them the others."""
    positions, scores, sent = order(state.current())
    ranked = state.current().selection == "top"
    off = [position for position, chunk in enumerate(chunks) if not chunk.on]
    columns: dict[str, list[Any]] = {}
    if ranked:
        left_out = len(positions) - sent
        columns["sent as"] = [*map(str, range(1, sent + 1)), *["left out"] * left_out]
        columns["sent as"] += ["off"] * len(off)
        columns["score"] = [*scores, *[None] * len(off)]
        sent_tokens = sum(tokens[position] for position in positions[:sent])
        small(
            f"{counted(sent, 'chunk')} with {sent_tokens:,} of {sum(tokens):,} tokens go in,"
            f" {left_out:,} are left out."
        )
    rows = [*positions, *off] if ranked else list(range(len(chunks)))
    if len(rows) > _LISTED:
        small(f"The first {_LISTED:,} are listed.")
        columns = {name: values[:_LISTED] for name, values in columns.items()}
    _table(chunks, tokens, rows[:_LISTED], columns)


def _table(chunks: Chunks, tokens: list[int], rows: list[int], ranks: dict[str, list[Any]]) -> None:
    ranked = tuple((name, tuple(values)) for name, values in ranks.items())
    shown = workspace.current().remembered(
        "chunk table",
        (chunks, tuple(tokens), tuple(rows), ranked),
        lambda: _frame(chunks, tokens, rows, ranks),
    )
    opened = st.session_state.get(keys.EDITED_CHUNK)
    # A table reads its selection only once, so rows in another order need another table.
    key = f"chunk_table {st.session_state.get(keys.CHUNK_TABLES, 0)} {hash(tuple(rows))}"
    st.dataframe(
        shown,
        hide_index=True,
        row_height=ROW,
        height=ROW * min(len(rows), _ROWS) + _HEADER,
        column_config=_COLUMNS,
        key=key,
        on_select=lambda: _open(key, rows),
        selection_mode="single-row",
        selection_default={"selection": {"rows": [rows.index(opened)] if opened in rows else []}},
        alt="The chunks: number, tokens, first words; choose a row to edit its chunk",
    )


def _frame(
    chunks: Chunks, tokens: list[int], rows: list[int], ranks: dict[str, list[Any]]
) -> Frame:
    overlap_lengths = overlaps([chunk.text for chunk in chunks])
    columns: dict[str, list[Any]] = {
        "on": [chunks[position].on for position in rows],
        "#": [position + 1 for position in rows],
        **ranks,
        "tokens": [tokens[position] for position in rows],
        "overlap": [overlap_lengths[position] for position in rows],
        "chunk": [_beginning(chunks[position].text) for position in rows],
    }
    if not any(columns["overlap"]):
        del columns["overlap"]
    if all(columns["on"]):
        del columns["on"]
    return frame(columns)


def _beginning(text: str) -> str:
    """The first characters of a chunk; the column is wider than what is in sight of it."""
    strong = (kind for kind in map(bidirectional, text) if kind in ("L", "R", "AL"))
    if next(strong, "L") == "L":
        return visible(text[:_TEXT_LENGTH])
    return _LEFT + visible(text[:_FROM_RIGHT])


def _open(key: str, rows: list[int]) -> None:
    selected = st.session_state[key]["selection"]["rows"]
    st.session_state[keys.EDITED_CHUNK] = rows[selected[0]] if selected else None
