"""Every setting of the pages in one table, and where each is kept.

A value is looked up in the URL, then in the session, then in the workspace; if none of them
has it, it is the default. Streamlit does the first two steps for a widget that has the
arguments from `widget`. The workspace restores values that a refresh lost from the URL.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from synth.default_prompts import CHAT_DEFAULTS, DEFAULTS
from synth.samples import SAMPLES
from synth.sizes import CHUNK_OVERLAP_RATIO
from synth.tokens import DEFAULT_ENCODING
from ui.session import address, parts, workspace
from ui.settings.chunk_list import from_texts
from ui.settings.names import VARIABLE, chat, measured, system

FIRST_MODES = ("compact", "refine", "tree_summarize", "simple_summarize")
"""The modes that the pages show first; all others are one click away."""

MOST_COLUMNS = 4  # of Compare
MOST_TOKENS = 10_000_000  # the largest limit that can be set
LABELS = {
    "model": {
        "offline": "Offline, no language model",
        "endpoint": "OpenAI-compatible endpoint",
        "human": "You are the LLM",
        "recorded": "Recorded, else offline",
    },
    "selection": {"all": "All, in order", "top": "Best for the question"},
}
"""The words on the page for the choices that are stored as codes."""


@dataclass(frozen=True)
class Setting:
    """A setting: its name, its default, and where it is kept.

    "url" is for what is short and harmless in a link, "workspace" for what is long or not for
    links. A number lies in its `span`, whose type it has. With `in_parts`, an edit of the setting
    draws only the parts of the page that it changes.
    """

    name: str
    default: Any
    kept: Literal["url", "workspace"]
    in_parts: bool = True
    span: tuple[int, int] | tuple[float, float] | None = None


_NOWHERE = object()
_read: ContextVar[dict[str, Any] | None] = ContextVar("read", default=None)
"""The settings that `follow` has read so far."""

_FIRST = SAMPLES[0]
_TOKENS = (1, MOST_TOKENS)
_WHOLE = 2**53 - 1  # the largest whole number that a browser holds


def _system_message(template: str) -> str:
    """The system message with which a template begins when it becomes a chat."""
    return dict(CHAT_DEFAULTS[template].message_templates).get("system", "")


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting("mode", "compact", "url"),
        Setting("behaviour", "documented", "url"),
        Setting("window", _FIRST.window, "url", span=_TOKENS),
        Setting("num_output", _FIRST.num_output, "url", span=_TOKENS),
        Setting("overlap", CHUNK_OVERLAP_RATIO, "url", span=(0.0, 1.0)),
        Setting("chunk_limit", None, "url", span=_TOKENS),
        Setting("padding", None, "url", span=(0, MOST_TOKENS)),
        Setting("encoding", DEFAULT_ENCODING, "url"),
        Setting("filtering", False, "url"),
        Setting("selection", "all", "url"),
        Setting("top_k", 4, "url", span=(1, 10_000)),
        Setting("model", "offline", "url", in_parts=False),
        # An endpoint in a link could send the key of whoever opens the link to any server.
        Setting("base_url", "", "workspace", in_parts=False),
        Setting("model_name", "", "workspace", in_parts=False),
        Setting("temperature", None, "workspace", in_parts=False, span=(0.0, 2.0)),
        Setting("seed", None, "workspace", in_parts=False, span=(-_WHOLE, _WHOLE)),
        Setting("concurrency", 8, "workspace", in_parts=False, span=(1, 64)),
        Setting("timeout", 60, "workspace", in_parts=False, span=(1, 3600)),
        Setting("cap_calls", None, "workspace", in_parts=False, span=(0, _WHOLE)),
        Setting("cap_tokens", None, "workspace", in_parts=False, span=(0, _WHOLE)),
        Setting("cap_dollars", None, "workspace", in_parts=False, span=(0.0, 1e9)),
        Setting("question", _FIRST.question, "workspace"),
        Setting("chunks", from_texts(_FIRST.chunks, "sample"), "workspace"),
        *(Setting(name, text.template, "workspace") for name, text in DEFAULTS.items()),
        *(Setting(chat(name), False, "workspace") for name in DEFAULTS),
        *(Setting(system(name), _system_message(name), "workspace") for name in DEFAULTS),
        *(Setting(measured(name), "", "workspace") for name in DEFAULTS),
    )
}


def setting(name: str) -> Setting:
    """The setting with this name; that of a custom variable is empty by default."""
    if name.startswith(VARIABLE):
        return Setting(name, "", "workspace")
    return SETTINGS[name]


def limits(name: str) -> dict[str, Any]:
    """The arguments that keep the widget of a number in its span."""
    least, most = setting(name).span or (None, None)
    return {"min_value": least, "max_value": most}


def widget(name: str) -> dict[str, Any]:
    """The arguments with which a widget holds this setting."""
    held = setting(name)
    _restore(name)
    bind = None
    if name in LABELS:  # Streamlit would write the words into the address
        address.hold(name, LABELS[name], held.default)
    elif held.kept == "url":
        bind = "query-params"
    arguments: dict[str, Any] = {"key": name, "bind": bind, "persist_state": "session"}
    if held.in_parts:
        arguments |= {"on_change": _edited, "args": (name,)}
    return arguments


def hold(name: str, codes: Collection[str]) -> None:
    """Keep a setting that no widget of Streamlit holds in the address; call this before it is read.

    `codes` are its possible values.
    """
    _restore(name)
    address.hold(name, codes, setting(name).default)


def _restore(name: str) -> None:
    """Take a value that only the workspace has into the session."""
    values = workspace.current().values
    in_link = setting(name).kept == "url" and name in st.query_params
    if name in values and name not in st.session_state and not in_link:
        st.session_state[name] = values[name]


def _edited(name: str) -> None:
    workspace.current().values[name] = st.session_state[name]
    follow()


def get(name: str) -> Any:
    """The value of a setting, whether or not its widget is drawn."""
    read = _read.get()
    if read is None:
        return _found(name)
    if name not in read:
        read[name] = _found(name)
    return read[name]


def _found(name: str) -> Any:
    value = st.session_state.get(name, _NOWHERE)
    if value is not _NOWHERE:
        return value
    return workspace.current().values.get(name, setting(name).default)


def leave_out_infinite() -> None:
    """Draw the page without the settings in the address that are infinite numbers.

    Streamlit takes them for numbers, and fails when it makes them whole ones.
    """
    infinite = [name for name in SETTINGS if _is_infinite(st.query_params.get(name, ""))]
    if infinite:
        for name in infinite:
            del st.query_params[name]
        st.rerun()


def _is_infinite(text: str) -> bool:
    try:
        return math.isinf(float(text))
    except ValueError:
        return False


def link_is_read() -> bool:
    """Whether the widgets have read the link, so that `get` gives what they will hold."""
    return all(name in st.session_state for name in st.query_params if name in SETTINGS)


def put(**values: Any) -> None:
    """Change settings; only in callbacks, since a widget can't be changed once it is drawn."""
    st.session_state.update(values)
    workspace.current().values.update(values)


def take(**values: Any) -> None:
    """Change settings and draw the whole page, since their widgets may stand anywhere.

    This ends a callback: nothing after it runs.
    """
    put(**values)
    st.rerun()


def edit(**values: Any) -> None:
    """Change settings and draw the parts that show them; ends a callback."""
    put(**values)
    follow()


def follow() -> None:
    """Draw the parts that an edit changed; ends a callback.

    All parts ask for the same settings, and the session takes long to look one up.
    """
    before = _read.set({})
    try:
        parts.follow()
    finally:
        _read.reset(before)


def remember() -> None:
    """Copy the settings from the session into the workspace."""
    values = workspace.current().values
    for name, value in st.session_state.items():
        if isinstance(name, str) and (name in SETTINGS or name.startswith(VARIABLE)):
            values[name] = value
