"""Widgets for what a column has of its own; empty ones leave a setting to the pages."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.compare import columns
from ui.compare.columns import Column
from ui.settings import state


def choice(label: str, options: list[Any], column: Column, name: str, instead: str | None) -> None:
    """A choice that may be left to the pages; `instead` says what that comes to."""
    st.selectbox(
        label,
        options,
        index=None,
        placeholder=instead or f"{_said(state.get(name))}, as in the sidebar",
        format_func=_said,
        **own(column, name),
    )


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return state.LABELS["model"].get(value, str(value))


def text(column: Column, name: str) -> dict[str, Any]:
    """The arguments of a text input for a setting that may be left to the pages."""
    return {"placeholder": state.get(name) or "as in the sidebar", **own(column, name)}


def number(label: str, column: Column, name: str, least: float, most: float, step: float) -> None:
    """A number that may be left to the pages; the sidebar's shows where it is empty."""
    given = state.get(name)
    shown = "none" if given is None else f"{given:,}"
    st.number_input(
        label, least, most, value=None, step=step, placeholder=shown, **own(column, name)
    )


def own(column: Column, name: str) -> dict[str, Any]:
    """The arguments by which a widget holds a column's own value of a setting."""
    key = f"own {name} of {column.name}"
    return bound(key, column.own(name), _change, (key, column.name, name))


def bound(key: str, value: Any, on_change: Any, args: tuple[str, ...]) -> dict[str, Any]:
    """The arguments by which a widget shows a value that is kept in the workspace."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return {"key": key, "on_change": on_change, "args": args}


def _change(key: str, column: str, name: str) -> None:
    columns.change(column, name, st.session_state[key])
