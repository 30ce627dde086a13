"""The editors: the question or a list of them, and what each column has of its own."""

from __future__ import annotations

import streamlit as st

from synth.response_synthesizers.registry import MODES
from ui.compare import columns
from ui.compare.columns import Column
from ui.compare.own_widgets import bound, choice, number, own, text
from ui.controls import questions
from ui.look.elements import small
from ui.look.escape import escape
from ui.request.from_settings import variables_of
from ui.request.request import BEHAVIOURS
from ui.session import keys, workspace
from ui.settings import state, template_texts
from ui.settings.names import VARIABLE

_MODELS = ("offline", "endpoint")  # nobody can be the model of several columns at once
_MOST_REPEATS = 10


def draw() -> None:
    """All of it, over the whole width."""
    with st.container(border=True, key="editors"):
        _asked()
        there = columns.columns()
        with st.container(key="two_editors"):
            sides = st.columns(len(there), gap="medium")
        for column, side in zip(there, sides, strict=True):
            with side:
                _column(column, len(there))


def _asked() -> None:
    """The question of the Playground, a list in its place, and how often each is asked."""
    with st.container(key="two_asked"):
        left, middle, right = st.columns([5, 5, 2], gap="medium")
    with left:
        questions.draw()
    values = workspace.current().values
    middle.text_area(
        "Or a list of questions, one a line",
        height=68,
        placeholder="all of them in the place of the one question",
        **bound(keys.QUESTIONS, values.get(keys.QUESTIONS, ""), _keep, (keys.QUESTIONS,)),
    )
    right.number_input(
        "Repeats",
        1,
        _MOST_REPEATS,
        help="How often each column is asked, to see how much its answers vary.",
        **bound(keys.REPEATS, values.get(keys.REPEATS, 1), _keep, (keys.REPEATS,)),
    )


def _column(column: Column, count: int) -> None:
    settings = columns.settings_of(column, "")
    st.html(
        f'<div class="side-head"><b>{escape(columns.label(column, settings("mode")))}</b></div>'
    )
    with st.container(horizontal=True):
        st.button(
            "Duplicate",
            type="tertiary",
            icon=":material/add:",
            key=f"duplicate {column.name}",
            disabled=count == columns.MOST,
            on_click=columns.duplicate,
            args=(column.name,),
        )
        st.button(
            "Remove",
            type="tertiary",
            icon=":material/close:",
            key=f"remove {column.name}",
            disabled=count <= columns.FEWEST,
            on_click=columns.remove,
            args=(column.name,),
        )
    st.selectbox("Mode", list(MODES), **own(column, "mode"))
    choice("Templates", template_texts.names(), column, columns.TEMPLATES, "the Playground's")
    _model(column)
    with st.expander("Limits and behaviour", key=f"limits {column.name}"):
        _limits(column)
    _variables(column)


def _model(column: Column) -> None:
    """Which model, and where; each address has a key of its own."""
    settings = columns.settings_of(column, "")
    choice("Model", list(_MODELS), column, "model", "as in the sidebar")
    if settings("model") != "endpoint":
        return
    st.text_input("Base URL", **text(column, "base_url"))
    if settings("base_url").strip() != state.get("base_url").strip():
        st.text_input(
            "API key of this address",
            type="password",
            autocomplete="off",
            key=columns.key_name(settings("base_url")),
            persist_state="session",
        )
        small("The sidebar's key is sent to the sidebar's address alone.")
    st.text_input("Model name", **text(column, "model_name"))
    number("Temperature", column, "temperature", 0.0, 2.0, 0.1)


def _limits(column: Column) -> None:
    left, right = st.columns(2, gap="small")
    with left:
        number("Context window", column, "window", 1, state.MOST_TOKENS, 8)
        number("Padding", column, "padding", 0, state.MOST_TOKENS, 8)
        number("Chunk size limit", column, "chunk_limit", 1, state.MOST_TOKENS, 8)
    with right:
        number("num_output", column, "num_output", 1, state.MOST_TOKENS, 8)
        number("Overlap ratio", column, "overlap", 0.0, 1.0, 0.05)
    choice("Behaviour", list(BEHAVIOURS), column, "behaviour", None)
    if MODES[column.own("mode") or state.get("mode")].filters:
        choice("Structured answer filtering", [True, False], column, "filtering", None)
    small("Empty: as in the sidebar and the Playground.")


def _variables(column: Column) -> None:
    """The values of the variables in its own templates; names are text, since labels are not."""
    if column.own(columns.TEMPLATES) is None:
        return
    settings = columns.settings_of(column, "")
    for at, name in enumerate(variables_of(MODES[settings("mode")].templates, settings), 1):
        st.html(f'<div class="small">Value of <b>{escape(name)}</b></div>')
        st.text_input(
            f"Value of custom variable {at} in {column.name}",
            label_visibility="collapsed",
            **text(column, VARIABLE + name),
        )


def _keep(name: str) -> None:
    workspace.current().values[name] = st.session_state[name]
