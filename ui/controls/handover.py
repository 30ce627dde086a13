"""A lesson's input as settings of the Playground, and the way back to the former settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from synth.response_synthesizers.registry import MODES
from ui.controls import chunk_changes
from ui.look.elements import small
from ui.request.request import Messages, Request
from ui.session import keys, workspace
from ui.settings import state, template_texts
from ui.settings.chunk_list import from_texts
from ui.settings.names import VARIABLE, Lookup, chat, system

_SAME_NAME = (
    *("mode", "behaviour", "window", "num_output", "overlap", "padding", "chunk_limit"),
    *("encoding", "filtering"),
)


@dataclass(frozen=True)
class Displaced:
    """The Playground's settings before a lesson's input replaced them, and that input."""

    title: str
    before: Mapping[str, Any]
    put: Mapping[str, Any]


def settings_of(request: Request) -> dict[str, Any]:
    """The settings with which the Playground makes this very request."""
    settings = {name: getattr(request, name) for name in _SAME_NAME}
    settings |= {"question": request.query, "selection": "all"}
    settings["chunks"] = from_texts(request.chunks, "lesson")
    given = dict(request.templates)
    for name in MODES[request.mode].templates:
        settings |= _template(name, given[name]) if name in given else _default(name)
    return settings | {VARIABLE + name: text for name, text in request.variables}


def _template(name: str, messages: Messages) -> dict[str, Any]:
    """A template's settings; a system message makes it a chat."""
    texts = dict(messages)
    settings = {name: texts["user"], chat(name): "system" in texts}
    if "system" in texts:
        settings[system(name)] = texts["system"]
    return settings


def _default(name: str) -> dict[str, Any]:
    return dict(template_texts.defaults(name))


def displaced(kept: Displaced | None, title: str, put: dict[str, Any], get: Lookup) -> Displaced:
    """The settings to restore later, when `put` replaces the present ones.

    If the present ones are still those of the lesson before, the settings that this lesson
    replaced are kept.
    """
    before = {name: get(name) for name in put}
    if kept is not None and all(get(name) == value for name, value in kept.put.items()):
        before |= kept.before
    return Displaced(title, before, put)


def put(request: Request, title: str) -> None:
    """Put the request into the Playground, which then shows its plan."""
    values = workspace.current().values
    settings = settings_of(request)
    values[keys.DISPLACED] = displaced(values.get(keys.DISPLACED), title, settings, state.get)
    _set("a lesson", settings)
    for view in (keys.VIEW, keys.VIEW_EMPTY):
        st.session_state[view] = keys.PLAN


def _set(what: str, settings: Mapping[str, Any]) -> None:
    chunk_changes.change(what, settings["chunks"])
    state.put(**settings)


def draw() -> None:
    """On the Playground: which lesson its input is from, and the way back."""
    kept: Displaced | None = workspace.current().values.get(keys.DISPLACED)
    if kept is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="from_lesson"):
        small(f"From the lesson “{kept.title}”.")
        st.page_link(
            "pages/learn.py",
            label="Back to the lesson",
            icon=":material/school:",
            query_params={"w": workspace.current().id},
        )
        for label, icon, act in (
            ("Back to what was here", ":material/undo:", _take_back),
            ("Keep this", ":material/check:", _keep),
        ):
            st.button(label, icon=icon, type="tertiary", on_click=act)


def _take_back() -> None:
    kept: Displaced | None = workspace.current().values.pop(keys.DISPLACED, None)
    if kept is not None:  # a second click finds nothing more to take back
        _set("the lesson taken back", kept.before)


def _keep() -> None:
    workspace.current().values.pop(keys.DISPLACED, None)
