"""Every setting of the pages in one table, and where each is kept.

A value is looked for in the URL, then in the session, then in the workspace, and is the
default if it is nowhere. Streamlit does the first two for a widget with the arguments that
`widget` gives; the workspace brings values back after a refresh whose URL lost them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from synth.default_prompts import CHAT_DEFAULTS, DEFAULTS
from synth.samples import SAMPLES
from synth.sizes import CHUNK_OVERLAP_RATIO
from synth.tokens import DEFAULT_ENCODING
from ui.session import address, parts, workspace
from ui.settings.chunk_list import from_texts
from ui.settings.names import VARIABLE, chat, system

MOST_TOKENS = 10_000_000  # of a limit that can be set
LABELS = {
    "model": {
        "offline": "Offline, no language model",
        "endpoint": "OpenAI-compatible endpoint",
        "human": "You are the LLM",
    },
    "selection": {"all": "All, in order", "top": "Best for the question"},
}
"""The words on the page for choices whose values are codes."""


@dataclass(frozen=True)
class Setting:
    """A setting. Under its name it also stands in the URL, if it is kept there.

    "url": short, and harmless in a link. "workspace": long, or not for links. "session":
    a secret, gone with the session. If it is shown `in_parts`, an edit draws no more of a
    page than the parts that it changes.
    """

    name: str
    default: Any
    kept: Literal["url", "workspace", "session"]
    in_parts: bool = True


_NOWHERE = object()
_FIRST = SAMPLES[0]


def _system_message(template: str) -> str:
    """The system message that a template starts with as a chat."""
    return dict(CHAT_DEFAULTS[template].message_templates).get("system", "")


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting("mode", "compact", "url"),
        Setting("behaviour", "documented", "url"),
        Setting("window", _FIRST.window, "url"),
        Setting("num_output", _FIRST.num_output, "url"),
        Setting("overlap", CHUNK_OVERLAP_RATIO, "url"),
        Setting("chunk_limit", None, "url"),
        Setting("padding", None, "url"),
        Setting("encoding", DEFAULT_ENCODING, "url"),
        Setting("filtering", False, "url"),
        Setting("selection", "all", "url"),
        Setting("top_k", 4, "url"),
        Setting("model", "offline", "url", in_parts=False),
        # An endpoint in a link would send the next person's key wherever the link says.
        Setting("base_url", "", "workspace", in_parts=False),
        Setting("model_name", "", "workspace", in_parts=False),
        Setting("temperature", None, "workspace", in_parts=False),
        Setting("seed", None, "workspace", in_parts=False),
        Setting("concurrency", 8, "workspace", in_parts=False),
        Setting("timeout", 60, "workspace", in_parts=False),
        Setting("cap_calls", None, "workspace", in_parts=False),
        Setting("cap_tokens", None, "workspace", in_parts=False),
        Setting("cap_dollars", None, "workspace", in_parts=False),
        Setting("api_key", "", "session", in_parts=False),
        Setting("question", _FIRST.question, "workspace"),
        Setting("chunks", from_texts(_FIRST.chunks, "sample"), "workspace"),
        *(Setting(name, text.template, "workspace") for name, text in DEFAULTS.items()),
        *(Setting(chat(name), False, "workspace") for name in DEFAULTS),
        *(Setting(system(name), _system_message(name), "workspace") for name in DEFAULTS),
    )
}


def setting(name: str) -> Setting:
    """The setting of that name; custom variables have names of their own and start empty."""
    if name.startswith(VARIABLE):
        return Setting(name, "", "workspace")
    return SETTINGS[name]


def widget(name: str) -> dict[str, Any]:
    """The arguments by which a widget holds this setting."""
    found = setting(name)
    values = workspace.current().values
    if name in values and name not in st.session_state and name not in st.query_params:
        st.session_state[name] = values[name]
    bind = None
    if name in LABELS:  # Streamlit would write the words into the address
        address.hold(name, LABELS[name], found.default)
    elif found.kept == "url":
        bind = "query-params"
    held: dict[str, Any] = {"key": name, "bind": bind, "persist_state": "session"}
    return held | {"on_change": _edited, "args": (name,)} if found.in_parts else held


def _edited(name: str) -> None:
    workspace.current().values[name] = st.session_state[name]
    parts.follow()


def get(name: str) -> Any:
    """The value of a setting, whether or not its widget is drawn."""
    value = st.session_state.get(name, _NOWHERE)
    if value is not _NOWHERE:
        return value
    return workspace.current().values.get(name, setting(name).default)


def known() -> bool:
    """Whether `get` tells what widgets will hold: not while a link waits to be read by them."""
    return all(name in st.session_state for name in st.query_params if name in SETTINGS)


def put(**values: Any) -> None:
    """Set settings; for callbacks, since a widget that is drawn can't be changed any more."""
    st.session_state.update(values)
    workspace.current().values.update(values)


def take(**values: Any) -> None:
    """Set settings and draw all of the page, where their widgets are; ends a callback."""
    put(**values)
    st.rerun()


def remember() -> None:
    """Copy what the session holds into the workspace, but for secrets."""
    values = workspace.current().values
    for name, value in st.session_state.items():
        known = isinstance(name, str) and (name in SETTINGS or name.startswith(VARIABLE))
        if known and setting(str(name)).kept != "session":
            values[str(name)] = value
