"""The choice of the column that a view opens, by its position from 0."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st


def draw(labels: Sequence[str], key: str) -> int:
    """Draw the choice among columns of these names; `key` has the position in the session."""
    return st.selectbox(
        "Column",
        range(len(labels)),
        format_func=lambda at: f"in {labels[at]}",
        key=key,
        persist_state="session",
        width=260,
        label_visibility="collapsed",
    )
