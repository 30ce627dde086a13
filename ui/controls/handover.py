"""A lesson's input as settings of the Playground, and the return to the former settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from synth.response_synthesizers.registry import MODES
from ui.controls import chunk_changes
from ui.look.elements import small
from ui.request.request import Request
from ui.session import keys, workspace
from ui.settings import state, template_texts
from ui.settings.chunk_list import from_texts
from ui.settings.names import VARIABLE, Lookup, Messages, chat, system

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
    """The settings with which the Playground makes this request."""
    settings = {name: getattr(request, name) for name in _SAME_NAME}
    settings |= {"question": request.query, "selection": "all"}
    settings["chunks"] = from_texts(request.chunks, "lesson")
    templates = dict(request.templates)
    for name in MODES[request.mode].templates:
        settings |= _template(name, templates[name]) if name in templates else _default(name)
    return settings | {VARIABLE + name: text for name, text in request.variables}


def _template(name: str, messages: Messages) -> dict[str, Any]:
    """The settings of a template; a system message makes it a chat."""
    texts = dict(messages)
    settings = {name: texts["user"], chat(name): "system" in texts}
    if "system" in texts:
        settings[system(name)] = texts["system"]
    return settings


def _default(name: str) -> dict[str, Any]:
    return dict(template_texts.defaults(name))


def displaced(earlier: Displaced | None, title: str, put: dict[str, Any], get: Lookup) -> Displaced:
    """The settings to restore later, when `put` replaces the present settings.

    If the present settings are still those of the `earlier` lesson, the settings from before that
    lesson are restored.
    """
    before = {name: get(name) for name in put}
    if earlier is not None and all(get(name) == value for name, value in earlier.put.items()):
        before |= earlier.before
    return Displaced(title, before, put)


def put(request: Request, title: str) -> None:
    """Put a lesson's request into the Playground, which then shows its plan."""
    values = workspace.current().values
    settings = settings_of(request)
    values[keys.DISPLACED] = displaced(values.get(keys.DISPLACED), title, settings, state.get)
    _set("a lesson", settings)
    for view in (keys.VIEW, keys.VIEW_EMPTY):
        st.session_state[view] = keys.PLAN


def _set(label: str, settings: Mapping[str, Any]) -> None:
    chunk_changes.change(label, settings["chunks"])
    state.put(**settings)


def draw() -> None:
    """Draw, on the Playground, the lesson of its input, and the buttons to keep it or go back."""
    lesson: Displaced | None = workspace.current().values.get(keys.DISPLACED)
    if lesson is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="from_lesson"):
        small(f"From the lesson “{lesson.title}”.")
        st.page_link(
            "pages/learn.py",
            label="Back to the lesson",
            icon=":material/school:",
            query_params={"w": workspace.current().id},
        )
        for label, icon, action in (
            ("Restore my input", ":material/undo:", _restore),
            ("Keep this", ":material/check:", _keep),
        ):
            st.button(label, icon=icon, type="tertiary", on_click=action)


def _restore() -> None:
    lesson: Displaced | None = workspace.current().values.pop(keys.DISPLACED, None)
    if lesson is not None:  # a second click finds nothing to restore
        _set("the lesson's input replaced", lesson.before)


def _keep() -> None:
    workspace.current().values.pop(keys.DISPLACED, None)
