"""The chunks: their heading and sources, the choice of those sent, their table and editor."""

from functools import partial
from typing import Any
from unicodedata import bidirectional

import streamlit as st

from synth.html.markup import tag
from synth.quality.samples import SAMPLES, Sample
from synth.text.wording import counted, visible
from ui.controls import chunk_changes, own_text
from ui.controls.chunk_changes import edit
from ui.look.elements import ROW, Frame, frame, small, whole_numbers
from ui.plans.page_inputs import PageInputs
from ui.session import keys, parts, workspace
from ui.settings import model, state
from ui.settings.chunk_list import Chunks, changed, from_texts, moved, overlap, overlaps, without
from ui.settings.request import order, token_counts
from ui.settings.schema import Settings
from ui.settings.state import Place


def draw(inputs: PageInputs) -> None:
    """Draw the heading with its two menus, the choice of chunks, their table and the editor."""
    parts.part("chunks", inputs, _values, _draw)


def _values(inputs: PageInputs) -> tuple[Chunks, tuple[Any, ...]]:
    """The chunks, and the other settings on which their heading, table and order depend."""
    settings = inputs.settings
    ranked = settings.selection == "top"
    ranking = (settings.query_str, settings.similarity_top_k) if ranked else ()
    counted_by = model.tokenizer(settings), settings.count_factor
    return settings.chunks, (counted_by, ranked, *ranking)


def _draw(inputs: PageInputs, values: tuple[Chunks, tuple[Any, ...]]) -> None:
    chunks, (counted_by, *_) = values
    tokens = token_counts(chunks, *counted_by)
    with st.container(horizontal=True, vertical_alignment="center", key="chunks_head"):
        size = tag("span.muted", f"{len(chunks):,} · {sum(tokens):,} tokens")
        st.html(tag("div.num", tag("b", "Chunks"), " ", size), width="stretch")
        _choice(inputs.place, sum(chunk.on for chunk in chunks))
        own_text.draw(inputs)
        with st.popover("Samples", type="tertiary", icon=":material/menu_book:"):
            for sample in SAMPLES:
                st.button(sample.title, on_click=_load, args=(sample,), width="stretch")
                small(sample.note)
    own_text.draw_result(inputs)
    if chunks:
        _table(inputs.settings, tokens)
        _editor(chunks, tokens)
    else:
        st.info("There are no chunks: take your own text, or choose a sample.")
        _undo_button(chunks)


def put_sample(sample: Sample) -> None:
    """Take the chunks, the question and the limits of a sample; only in callbacks."""
    chunk_changes.change("a sample", from_texts(sample.chunks, "sample"))
    state.update(
        query_str=sample.question, context_window=sample.window, num_output=sample.num_output
    )


def _load(sample: Sample) -> None:
    put_sample(sample)
    st.rerun()


def _choice(place: Place, count: int) -> None:
    settings = place.settings
    ranked = settings.selection == "top"
    label = f"Best {settings.similarity_top_k:,}" if ranked else "All in order"
    with st.popover(label, type="tertiary", key="choice"):
        hidden: dict[str, Any] = {"label_visibility": "collapsed"}
        which = "Which chunks are sent"
        state.field("selection", place, "segmented_control", label=which, required=True, **hidden)
        if ranked:
            state.field("similarity_top_k", place, label="How many", width=130, **hidden)
            small(f"of {count:,}, by BM25")


_MOST_EDITED = 100_000  # characters; a longer text would be sent again after each click
_CHUNK_TEXT = "chunk_text"


def _editor(chunks: Chunks, tokens: list[int]) -> None:
    position = st.session_state.get(keys.EDITED_CHUNK)
    if position is None or position >= len(chunks):
        _undo_button(chunks)
        return
    chunk = chunks[position]
    with st.container(border=True, key="chunk_editor"):
        small(
            f"Chunk {position + 1} of {len(chunks):,} · {counted(tokens[position], 'token')} ·"
            f" {counted(len(chunk.text), 'character')} · {chunk.source}"
        )
        if position and (length := overlap(chunks[position - 1].text, chunk.text)):
            small(f"Its first {length:,} characters repeat the end of chunk {position}.")
        _buttons(chunks, position)
        if len(chunk.text) > _MOST_EDITED:
            small(f"This chunk is too long to edit here: the limit is {_MOST_EDITED:,} characters.")
            return
        st.session_state[_CHUNK_TEXT] = chunk.text
        st.text_area(
            "Text of the chunk",
            key=_CHUNK_TEXT,
            height=150,
            on_change=_edit,
            args=(chunks, position),
        )


def _buttons(chunks: Chunks, position: int) -> None:
    number, on = position + 1, chunks[position].on
    toggled = partial(changed, chunks, position, on=not on)
    with st.container(horizontal=True, key="chunk_buttons"):
        st.button(
            "Switch off" if on else "Switch on",
            on_click=lambda: edit(f"chunk {number} switched", toggled(), position),
        )
        for label, icon, to in (
            ("Up", ":material/arrow_upward:", position - 1),
            ("Down", ":material/arrow_downward:", position + 1),
        ):
            st.button(
                label,
                icon=icon,
                disabled=not 0 <= to < len(chunks),
                on_click=_move,
                args=(chunks, position, to),
            )
        st.button(
            "Delete",
            icon=":material/delete:",
            on_click=lambda: edit(f"chunk {number} deleted", without(chunks, position)),
        )
        _undo_button(chunks)


def _move(chunks: Chunks, position: int, to: int) -> None:
    edit(f"chunk {position + 1} moved", moved(chunks, position, to), to)


def _edit(chunks: Chunks, position: int) -> None:
    text = st.session_state[_CHUNK_TEXT]
    edit(f"chunk {position + 1} edited", changed(chunks, position, text=text), position)


def _undo_button(chunks: Chunks) -> None:
    change = chunk_changes.last()
    if change is not None and change.before != chunks:
        st.button(
            "Undo",
            icon=":material/undo:",
            key="undo_chunks",
            type="tertiary",
            help=f"Undo the last change: {change.label}.",
            on_click=chunk_changes.undo,
        )


_LISTED = 2_000  # chunks in the table, which is sent again after a click
_TEXT_LENGTH = 160  # characters of a chunk that the table shows
_FROM_RIGHT = 44  # of one that is read from the right, which are all in sight
_LEFT = "\u200e"  # the table puts a text with it at the left of its column, which is in sight
_ROWS_SEEN = 12  # that are seen at once
_HEADER = 36  # pixels, with the borders
_COLUMNS = {
    "on": st.column_config.CheckboxColumn(width=36),
    "sent as": st.column_config.TextColumn(width=62),
    "#": whole_numbers(width=36),
    "score": st.column_config.NumberColumn(width=54, format="%.2f"),
    "tokens": whole_numbers(width=58),
    "overlap": whole_numbers(
        width=66,
        help="Characters at its start that repeat the end of the chunk before",
    ),
    "chunk": st.column_config.TextColumn(
        "chunk · tick a row to edit, move, switch off or delete it", width=900
    ),
}
"""The text comes last: it fills any width, and what has no room scrolls."""


def _table(settings: Settings, tokens: list[int]) -> None:
    chunks, (positions, scores, sent) = settings.chunks, order(settings)
    ranked = settings.selection == "top"
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
    _drawn_table(chunks, tokens, rows[:_LISTED], columns)


def _drawn_table(
    chunks: Chunks, tokens: list[int], rows: list[int], ranks: dict[str, list[Any]]
) -> None:
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
        height=ROW * min(len(rows), _ROWS_SEEN) + _HEADER,
        column_config=_COLUMNS,
        key=key,
        on_select=lambda: _open_row(key, rows),
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


def _open_row(key: str, rows: list[int]) -> None:
    selected = st.session_state[key]["selection"]["rows"]
    st.session_state[keys.EDITED_CHUNK] = rows[selected[0]] if selected else None
