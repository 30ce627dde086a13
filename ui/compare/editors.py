"""The editors: the question or a list of them, and the settings that each column overrides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from synth.response_synthesizers.registry import MODES
from ui.compare import set_editor
from ui.compare.cells import column_label
from ui.compare.columns import (
    FEWEST_COLUMNS,
    MOST_COLUMNS,
    TEMPLATE_SET,
    Column,
    change_setting,
    current_columns,
    duplicate_column,
    remove_column,
    settings_of,
)
from ui.compare.comparison import MOST_REPEATS, Comparison
from ui.controls import key_field, questions
from ui.look.elements import small
from ui.look.html import tag
from ui.request.from_settings import variables_of
from ui.request.request import BEHAVIOURS
from ui.session import keys, workspace
from ui.settings import hosts, question_set, recorded, state, template_texts
from ui.settings.names import VARIABLE, Lookup

_MODELS = ("offline", "endpoint", "recorded")  # a person can't answer several columns at once


def draw(every_mode: bool) -> None:
    """All editors, over the whole width; the table of every mode has no columns of its own."""
    with st.container(border=True, key="editors"):
        _questions()
        if every_mode:
            small("All else is as in the sidebar and in the Playground.")
            return
        columns = current_columns()
        with st.container(key="two_editors"):
            containers = st.columns(len(columns), gap="medium")
        for column, container in zip(columns, containers, strict=True):
            with container:
                _column(column, len(columns))


def _questions() -> None:
    """The question of the Playground, a list that replaces it, and the number of repeats."""
    with st.container(key="two_asked"):
        left, middle, right = st.columns([5, 5, 2], gap="medium")
    with left:
        questions.draw()
    values = workspace.current().values
    with middle:
        if asked := question_set.questions():
            set_editor.draw_present(asked)
        else:
            st.text_area(
                "Or a list of questions, one per line",
                height=68,
                placeholder="replaces the single question",
                **held(keys.QUESTIONS, values.get(keys.QUESTIONS, ""), _store, (keys.QUESTIONS,)),
            )
    right.number_input(
        "Repeats",
        1,
        MOST_REPEATS,
        help="How often each column is asked, to see how much its answers vary.",
        **held(keys.REPEATS, values.get(keys.REPEATS, 1), _store, (keys.REPEATS,)),
    )
    set_editor.draw()


def _column(column: Column, count: int) -> None:
    label = column_label(column.name, settings_of(column, "")("mode"))
    st.html(tag("div.side-head", tag("b", label)))
    with st.container(horizontal=True):
        st.button(
            "Duplicate",
            type="tertiary",
            icon=":material/add:",
            key=f"duplicate {column.name}",
            disabled=count == MOST_COLUMNS,
            on_click=duplicate_column,
            args=(column.name,),
        )
        st.button(
            "Remove",
            type="tertiary",
            icon=":material/close:",
            key=f"remove {column.name}",
            disabled=count <= FEWEST_COLUMNS,
            on_click=remove_column,
            args=(column.name,),
        )
    st.selectbox("Mode", list(MODES), **_override(column, "mode"))
    _choice("Templates", template_texts.names(), column, TEMPLATE_SET, "the Playground's")
    _model(column)
    with st.expander("Limits and behaviour", key=f"limits {column.name}"):
        _limits(column)
    _variables(column)


def _model(column: Column) -> None:
    """The model and its address; each address has an API key of its own."""
    settings = settings_of(column, "")
    kinds = recorded.offered(_MODELS, settings("model"))
    _choice("Model", kinds, column, "model", "as in the sidebar")
    if settings("model") != "endpoint":
        return
    _text("Base URL", column, "base_url")
    _key(column, hosts.address(settings))
    _text("Model name", column, "model_name")
    _number("Temperature", column, "temperature", 0.1)


def _key(column: Column, address: str) -> None:
    """The field for the key of a column's host, once among the sidebar and all columns."""
    if _in_sidebar(address):
        return
    first = _asking(current_columns(), address)
    if first == column:
        key_field.draw("API key of this address", address)
    elif first is not None:
        small(f"The API key is that of {first.name}, which has the same host.")


def asks_for_key(comparison: Comparison, address: str) -> str | None:
    """Whose field on this page is for the key of this host; None if nobody asks for it."""
    if _in_sidebar(address):
        return "the sidebar's"
    drawn = st.session_state.get(keys.COMPARE_EDITING)
    asking = _asking(comparison.columns, address) if drawn else None
    return None if asking is None else f"that of {asking.name}"


def _in_sidebar(address: str) -> bool:
    return _asks(state.get, address)


def _asking(columns: Iterable[Column], address: str) -> Column | None:
    return next((one for one in columns if _asks(settings_of(one, ""), address)), None)


def _asks(settings: Lookup, address: str) -> bool:
    """Whether these settings send to the host of this address."""
    here = settings("model") == "endpoint"
    return here and hosts.key_name(hosts.address(settings)) == hosts.key_name(address)


def _limits(column: Column) -> None:
    left, right = st.columns(2, gap="small")
    with left:
        _number("Context window", column, "window", 8)
        _number("Safety margin (padding)", column, "padding", 8)
        _number("Chunk size limit", column, "chunk_limit", 8)
    with right:
        _number("Answer length (num_output)", column, "num_output", 8)
        _number("Overlap", column, "overlap", 0.05)
    _choice("Behaviour", list(BEHAVIOURS), column, "behaviour")
    if MODES[column.override("mode") or state.get("mode")].filters:
        _choice("Structured answer filtering", [True, False], column, "filtering")
    small("Empty fields: as in the sidebar and the Playground.")


def _variables(column: Column) -> None:
    """The values of the variables in its own templates; labels are Markdown, names are not."""
    if column.override(TEMPLATE_SET) is None:
        return
    settings = settings_of(column, "")
    variables = variables_of(MODES[settings("mode")].templates, settings)
    for number, name in enumerate(variables, 1):
        st.html(tag("div.small", "Value of ", tag("b", name)))
        label = f"Value of custom variable {number} in {column.name}"
        _text(label, column, VARIABLE + name, label_visibility="collapsed")


def _choice(
    label: str, options: list[Any], column: Column, name: str, placeholder: str | None = None
) -> None:
    """A choice; while it is empty the placeholder says where the setting comes from."""
    st.selectbox(
        label,
        options,
        index=None,
        placeholder=placeholder or f"{_option_text(state.get(name))}, as in the sidebar",
        format_func=_option_text,
        **_override(column, name),
    )


def _option_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return state.LABELS["model"].get(value, str(value))


def _text(label: str, column: Column, name: str, **options: Any) -> None:
    """A text; while it is empty the placeholder shows the pages' own."""
    placeholder = state.get(name) or "as in the sidebar"
    st.text_input(label, placeholder=placeholder, **options, **_override(column, name))


def _number(label: str, column: Column, name: str, step: float) -> None:
    """A number; while it is empty the placeholder shows the sidebar's."""
    value = state.get(name)
    placeholder = "none" if value is None else f"{value:,}"
    options = _override(column, name)
    options |= state.limits(name)
    st.number_input(label, value=None, step=step, placeholder=placeholder, **options)


def _override(column: Column, name: str) -> dict[str, Any]:
    """The arguments by which a widget holds a column's own value of a setting."""
    key = f"own {name} of {column.name}"
    return held(key, column.override(name), _store_override, (key, column.name, name))


def held(key: str, value: Any, store: Callable[..., None], args: tuple[str, ...]) -> dict[str, Any]:
    """The arguments by which a widget shows a value that the workspace holds."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return {"key": key, "on_change": store, "args": args}


def _store_override(key: str, column: str, name: str) -> None:
    """Keep the value; whoever types an address or chooses an endpoint wants to send there."""
    value = st.session_state[key]
    change_setting(column, name, value)
    if name in ("base_url", "model"):
        own = next(one for one in current_columns() if one.name == column)
        hosts.confirm_typed(value if name == "base_url" else None, settings_of(own, ""))


def _store(name: str) -> None:
    workspace.current().values[name] = st.session_state[name]
