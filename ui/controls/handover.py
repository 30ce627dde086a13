"""The input of a lesson, a trace or a run as settings, and the return to the former ones."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import streamlit as st

from synth.modes.registry import MODES
from ui.controls import chunk_changes
from ui.look.elements import small
from ui.session import keys, workspace
from ui.settings import model, state, template_texts
from ui.settings.chunk_list import from_texts
from ui.settings.request import SAME_NAME, Request
from ui.settings.schema import VARIABLE, Settings


class _Page(NamedTuple):
    """The page from which an input came, and what it is called there."""

    path: str
    icon: str
    noun: str


LESSON, TRACE, RUN = "lesson", "trace", "run"
"""What an input comes from."""

_PAGES = {
    LESSON: _Page("pages/learn.py", ":material/school:", "lesson"),
    TRACE: _Page("pages/runs.py", ":material/upload_file:", "trace"),
    RUN: _Page("pages/runs.py", ":material/history:", "run"),
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
        settings |= (
            template_texts.of_messages(name, templates[name], measured.get(name, ""))
            if name in templates
            else template_texts.defaults(name)
        )
    return settings | {f"{VARIABLE}{name}": text for name, text in request.variables}


def displaced(
    earlier: Displaced | None,
    title: str,
    put: dict[str, Any],
    settings: Settings,
    origin: str = LESSON,
) -> Displaced:
    """Return what to restore later: that of the `earlier` input while its settings still stand."""
    before, columns = {name: settings.value(name) for name in put}, None
    if earlier is not None and _holds(earlier, settings):
        before |= earlier.before
        columns = earlier.columns
    return Displaced(title, before, put, origin, columns)


def _holds(found: Displaced, settings: Settings) -> bool:
    return all(settings.value(name) == value for name, value in found.put.items())


def put(request: Request, title: str, origin: str = LESSON, **more: Any) -> None:
    """Put the request of a lesson, a trace or a run into the Playground, with `more` settings."""
    values = workspace.current().values
    settings = settings_of(request, origin) | more
    earlier = values.get(keys.DISPLACED)
    values[keys.DISPLACED] = displaced(earlier, title, settings, state.current(), origin)
    _set(f"a {_PAGES[origin].noun}", settings)


def displace_columns() -> None:
    """Take the columns from Compare, which begins anew; they come back with the former input."""
    values = workspace.current().values
    found: Displaced = values[keys.DISPLACED]
    columns = values.pop(keys.COLUMNS, ())
    if found.columns is None:
        values[keys.DISPLACED] = replace(found, columns=columns)


def put_run(request: Request, title: str) -> None:
    """Put the request of a saved run into the Playground, with its model."""
    put(request, title, RUN, **request.model.settings)


def _set(label: str, settings: Mapping[str, Any]) -> None:
    chunk_changes.change(label, settings["chunks"])
    state.update(**settings)


def draw() -> None:
    """Draw, on the Playground, where its input came from, and buttons to keep it or go back."""
    found: Displaced | None = workspace.value(keys.DISPLACED, None)
    if found is None:
        return
    page = _PAGES[found.origin]
    with st.container(horizontal=True, vertical_alignment="center", key="from_lesson"):
        small(f"From the {page.noun} “{found.title}”.")
        workspace.page_link(page.path, f"Back to the {page.noun}", page.icon)
        for label, icon, action in (
            ("Restore my input", ":material/undo:", _restore),
            ("Keep this", ":material/check:", _keep),
        ):
            st.button(label, icon=icon, type="tertiary", on_click=action)


def _restore() -> None:
    values = workspace.current().values
    found: Displaced | None = values.pop(keys.DISPLACED, None)
    if found is None:  # a second click finds nothing to restore
        return
    _set(f"the {_PAGES[found.origin].noun}'s input replaced", found.before)
    if found.columns is not None:
        values.pop(keys.COLUMNS, None)
    if found.columns:
        values[keys.COLUMNS] = found.columns


def _keep() -> None:
    workspace.current().values.pop(keys.DISPLACED, None)
