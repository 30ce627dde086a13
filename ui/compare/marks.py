"""What the person thinks of an answer: a thumb and a note, kept with its run."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.session import keys, workspace


def draw(serial: int, column: str) -> None:
    """The thumbs and the note; a column that shares its run has marks of its own."""
    mark = _marks().get((serial, column), {})
    _field(f"thumb {serial} {column}", mark.get("thumb"))
    st.feedback(
        "thumbs",
        key=f"thumb {serial} {column}",
        on_change=_keep,
        args=(serial, column, "thumb"),
    )
    noted = mark.get("note")
    with st.popover("Note", icon=":material/edit_note:" if noted else ":material/add_comment:"):
        _field(f"note {serial} {column}", noted or "")
        st.text_area(
            "Note on this answer",
            key=f"note {serial} {column}",
            on_change=_keep,
            args=(serial, column, "note"),
        )


def _marks() -> dict[tuple[int, str], dict[str, Any]]:
    marks: dict[tuple[int, str], dict[str, Any]] = workspace.current().values.setdefault(
        keys.RATINGS, {}
    )
    return marks


def _field(key: str, value: Any) -> None:
    if key not in st.session_state:
        st.session_state[key] = value


def _keep(serial: int, column: str, what: str) -> None:
    value = st.session_state[f"{what} {serial} {column}"]
    mark = _marks().get((serial, column), {})
    _marks()[serial, column] = mark | {what: value}
