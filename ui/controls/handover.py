"""The input of a lesson or a saved run as settings, and the return to the former settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import streamlit as st

from synth.response_synthesizers.registry import MODES
from ui.controls import chunk_changes
from ui.look.elements import small
from ui.request.request import Request
from ui.session import keys, workspace
from ui.settings import state, template_texts
from ui.settings.chunk_list import from_texts
from ui.settings.model import without_secrets
from ui.settings.names import VARIABLE, Lookup

_SAME_NAME = (
    *("mode", "behaviour", "window", "num_output", "overlap", "padding", "chunk_limit"),
    *("encoding", "filtering"),
)


Origin = Literal["lesson", "run"]


class _Words(NamedTuple):
    """What the page says of an origin, and the link back to it."""

    name: str
    page: str
    label: str
    icon: str


_WORDS: Mapping[Origin, _Words] = {
    "lesson": _Words("the lesson", "pages/learn.py", "Back to the lesson", ":material/school:"),
    "run": _Words("the saved run", "pages/runs.py", "Back to the runs", ":material/history:"),
}


@dataclass(frozen=True)
class Displaced:
    """The Playground's settings before other input replaced them, and that input.

    The input is that of a lesson or of a saved run, as `origin` says; `title` is its name.
    """

    title: str
    before: Mapping[str, Any]
    put: Mapping[str, Any]
    origin: Origin = "lesson"


def settings_of(request: Request, origin: Origin = "lesson") -> dict[str, Any]:
    """The settings with which the Playground makes this request, except for its model."""
    settings = {name: getattr(request, name) for name in _SAME_NAME}
    settings |= {"question": request.query, "selection": "all"}
    settings["chunks"] = from_texts(request.chunks, origin)
    templates = dict(request.templates)
    for name in MODES[request.mode].templates:
        given = name in templates
        settings |= (
            template_texts.of_messages(name, templates[name])
            if given
            else template_texts.defaults(name)
        )
    return settings | {VARIABLE + name: text for name, text in request.variables}


def displaced(
    earlier: Displaced | None,
    title: str,
    put: dict[str, Any],
    get: Lookup,
    origin: Origin = "lesson",
) -> Displaced:
    """The settings to restore later, when `put` replaces the present settings.

    If the present settings are still those of an `earlier` lesson or run, the settings from before
    that are restored.
    """
    before = {name: get(name) for name in put}
    if earlier is not None and all(get(name) == value for name, value in earlier.put.items()):
        before |= earlier.before
    return Displaced(title, before, put, origin)


def put(request: Request, title: str) -> None:
    """Put a lesson's request into the Playground, which then shows its plan."""
    _put(title, settings_of(request), "lesson")
    for view in (keys.VIEW, keys.VIEW_EMPTY):
        st.session_state[view] = keys.PLAN


def put_run(request: Request, title: str) -> None:
    """Put the request of a saved run into the Playground, with its model.

    A key that was typed for another address is forgotten: it must not be sent to this one.
    """
    settings = settings_of(request, "run")
    one = request.model
    if one.kind in state.LABELS["model"]:
        settings["model"] = one.kind
    if one.kind == "endpoint":
        names = {"base_url": one.address, "model_name": one.name}
        settings |= names | {"temperature": one.temperature, "seed": one.seed}
        if one.address != without_secrets(str(state.get("base_url")).strip()):
            state.put(api_key="")
    _put(title, settings, "run")


def _put(title: str, settings: dict[str, Any], origin: Origin) -> None:
    values = workspace.current().values
    earlier = values.get(keys.DISPLACED)
    values[keys.DISPLACED] = displaced(earlier, title, settings, state.get, origin)
    _set(f"a {origin}", settings)


def _set(label: str, settings: Mapping[str, Any]) -> None:
    chunk_changes.change(label, settings["chunks"])
    state.put(**settings)


def draw() -> None:
    """Draw, on the Playground, where its input is from, and the buttons to keep it or go back."""
    found: Displaced | None = workspace.current().values.get(keys.DISPLACED)
    if found is None:
        return
    words = _WORDS[found.origin]
    with st.container(horizontal=True, vertical_alignment="center", key="displaced"):
        small(f"From {words.name} “{found.title}”.")
        st.page_link(
            words.page,
            label=words.label,
            icon=words.icon,
            query_params={"w": workspace.current().id},
        )
        for label, icon, action in (
            ("Restore my input", ":material/undo:", _restore),
            ("Keep this", ":material/check:", _keep),
        ):
            st.button(label, icon=icon, type="tertiary", on_click=action)


def _restore() -> None:
    found: Displaced | None = workspace.current().values.pop(keys.DISPLACED, None)
    if found is not None:  # a second click finds nothing to restore
        _set(f"the input of a {found.origin} replaced", found.before)


def _keep() -> None:
    workspace.current().values.pop(keys.DISPLACED, None)
