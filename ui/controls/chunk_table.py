"""The table of chunks; a click on a row opens its chunk in the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from synth.wording import counted
from ui.look.elements import ROW, small
from ui.look.escape import visible
from ui.session import keys, workspace
from ui.settings import state
from ui.settings.chunk_list import Chunks, overlaps
from ui.settings.chunk_order import order

if TYPE_CHECKING:
    import pandas as pd

_LISTED = 2_000  # chunks in the table, which travels with each click
_SHOWN = 160  # characters of a chunk in the table
_COLUMNS = {
    "on": st.column_config.CheckboxColumn(width=36),
    "sent as": st.column_config.TextColumn(width=70),
    "#": st.column_config.NumberColumn(width=40),
    "score": st.column_config.NumberColumn(width=62, format="%.2f"),
    "tokens": st.column_config.NumberColumn(width=62, format="localized"),
    "chunk": st.column_config.TextColumn(width=197),
    "overlap": st.column_config.NumberColumn(
        width=72, format="localized", help="Characters that repeat the end of the chunk before"
    ),
    "characters": st.column_config.NumberColumn(width=84, format="localized"),
    "source": st.column_config.TextColumn(width=140),
}


def draw(chunks: Chunks, tokens: list[int]) -> None:
    """The chunks in the order in which they are sent, and after them what is not."""
    places, scores, sent = order(state.get("question"), chunks, state.get)
    ranked = state.get("selection") == "top"
    off = [place for place, chunk in enumerate(chunks) if not chunk.on]
    columns: dict[str, list[Any]] = {}
    if ranked:
        left_out = len(places) - sent
        columns["sent as"] = [*map(str, range(1, sent + 1)), *["left out"] * left_out]
        columns["sent as"] += ["off"] * len(off)
        columns["score"] = [*scores, *[None] * len(off)]
        room = sum(tokens[place] for place in places[:sent])
        small(
            f"{counted(sent, 'chunk')} with {room:,} of {sum(tokens):,} tokens go in,"
            f" {left_out:,} are left out."
        )
    rows = [*places, *off] if ranked else list(range(len(chunks)))
    if len(rows) > _LISTED:
        small(f"The first {_LISTED:,} are listed.")
        columns = {name: values[:_LISTED] for name, values in columns.items()}
    _table(chunks, tokens, rows[:_LISTED], columns)


def _table(chunks: Chunks, tokens: list[int], rows: list[int], ranks: dict[str, list[Any]]) -> None:
    ranked = tuple((name, tuple(values)) for name, values in ranks.items())
    frame = workspace.current().remembered(
        "chunk table",
        (chunks, tuple(tokens), tuple(rows), ranked),
        lambda: _frame(chunks, tokens, rows, ranks),
    )
    opened = st.session_state.get(keys.EDITED_CHUNK)
    # A table takes its first selection alone, so rows in another order are another table.
    key = f"chunk_table {st.session_state.get(keys.CHUNK_TABLES, 0)} {hash(tuple(rows))}"
    st.dataframe(
        frame,
        hide_index=True,
        row_height=ROW,
        height=min(ROW * len(rows) + 34, 290),
        column_config=_COLUMNS,
        key=key,
        on_select=lambda: _opened(key, rows),
        selection_mode="single-row",
        selection_default={"selection": {"rows": [rows.index(opened)] if opened in rows else []}},
        alt="The chunks: number, tokens, first words; choose a row to edit one",
    )


def _frame(
    chunks: Chunks, tokens: list[int], rows: list[int], ranks: dict[str, list[Any]]
) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415  slow to import, and the plan is drawn before this

    shared = overlaps([chunk.text for chunk in chunks])
    columns: dict[str, list[Any]] = {
        "on": [chunks[place].on for place in rows],
        "#": [place + 1 for place in rows],
        **ranks,
        "tokens": [tokens[place] for place in rows],
        "chunk": [visible(chunks[place].text[:_SHOWN]) for place in rows],
        "overlap": [shared[place] for place in rows],
        "characters": [len(chunks[place].text) for place in rows],
        "source": [visible(chunks[place].source) for place in rows],
    }
    if not any(shared[place] for place in rows):
        del columns["overlap"]
    return pd.DataFrame(columns)


def _opened(key: str, rows: list[int]) -> None:
    chosen = st.session_state[key]["selection"]["rows"]
    st.session_state[keys.EDITED_CHUNK] = rows[chosen[0]] if chosen else None
