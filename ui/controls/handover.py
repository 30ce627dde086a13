"""The input of a lesson, a trace or a run as settings, and the return to the former ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from synth.modes.registry import MODES
from ui.controls import chunk_changes
from ui.look.elements import small
from ui.session import keys, workspace
from ui.settings import model, state
from ui.settings.request import SAME_NAME, Request
from ui.settings.schema import VARIABLE, from_texts, template_settings

LESSON, TRACE, RUN = "lesson", "trace", "run"
"""What an input comes from."""

_PAGES = {
    LESSON: ("pages/learn.py", ":material/school:"),
    TRACE: ("pages/runs.py", ":material/upload_file:"),
    RUN: ("pages/runs.py", ":material/history:"),
}


@dataclass(frozen=True)
class Displaced:
    """The settings that an input replaced, that input, and the columns of Compare of before."""

    title: str
    before: Mapping[str, Any]
    put: Mapping[str, Any]
    origin: str = LESSON
    columns: tuple[Any, ...] | None = None


def settings_of(request: Request, origin: str = LESSON) -> dict[str, Any]:
    """The settings by name with which the Playground makes this request, but for its model."""
    settings: dict[str, Any] = {name: getattr(request, name) for name in SAME_NAME}
    settings["tokenizer"] = model.tokenizer_setting(request.tokenizer, request.model.kind)
    settings |= {"selection": "all", "chunks": from_texts(request.text_chunks, origin)}
    templates, measured = dict(request.templates), dict(request.measured)
    for name in MODES[request.mode].templates:
        settings |= template_settings(name, templates.get(name, ()), measured.get(name, ""))
    return settings | {f"{VARIABLE}{name}": text for name, text in request.variables}


def put(
    request: Request,
    title: str,
    origin: str = LESSON,
    more: Mapping[str, Any] | None = None,
    *,
    with_columns: bool = False,
) -> None:
    """Put the request of a lesson, a trace or a run into the Playground, with `more` settings.

    `with_columns` Compare begins anew. What stood before comes back on demand: that of the input
    put before this one, while its settings still stand.
    """
    values, present = workspace.current().values, state.current()
    settings = {**settings_of(request, origin), **(more or {})}
    earlier: Displaced | None = values.get(keys.DISPLACED)
    before = {name: present.value(name) for name in settings}
    columns = None
    if earlier and all(present.value(name) == value for name, value in earlier.put.items()):
        before |= earlier.before
        columns = earlier.columns
    if with_columns:
        found = values.pop(keys.COLUMNS, ())
        columns = found if columns is None else columns
    values[keys.DISPLACED] = Displaced(title, before, settings, origin, columns)
    _set(f"a {origin}", settings)


def _set(label: str, settings: Mapping[str, Any]) -> None:
    chunk_changes.change(label, settings["chunks"])
    state.update(**settings)


def draw() -> None:
    """Draw, on the Playground, where its input came from, and buttons to keep it or go back."""
    found: Displaced | None = workspace.value(keys.DISPLACED, None)
    if found is None:
        return
    path, icon = _PAGES[found.origin]
    with st.container(horizontal=True, vertical_alignment="center", key="from_lesson"):
        small(f"From the {found.origin} “{found.title}”.")
        workspace.page_link(path, f"Back to the {found.origin}", icon)
        st.button("Restore my input", icon=":material/undo:", type="tertiary", on_click=_restore)
        st.button("Keep this", icon=":material/check:", type="tertiary", on_click=_keep)


def _restore() -> None:
    values = workspace.current().values
    found: Displaced | None = values.pop(keys.DISPLACED, None)
    if found is None:  # a second click finds nothing to restore
        return
    _set(f"the {found.origin}'s input replaced", found.before)
    if found.columns is not None:
        state.set_workspace_value(keys.COLUMNS, found.columns or None)


def _keep() -> None:
    workspace.current().values.pop(keys.DISPLACED, None)
