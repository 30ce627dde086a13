"""What a person changes in the list of chunks and in the picture, and inputs put in their place.

The latest changes can be undone, one after the other.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from synth.documents.decoding import MOST_CHUNKS
from synth.modes.registry import MODES
from synth.text.wording import make_utf8
from ui.look.scripts import Act, Moved
from ui.session import keys, parts, workspace
from ui.settings import model, state
from ui.settings.request import SAME_NAME, Request
from ui.settings.schema import (
    MOST_TOKENS,
    VARIABLE,
    Chunk,
    Chunks,
    Settings,
    from_texts,
    template_settings,
)

T = TypeVar("T")

_EDITED, _ADDED = "a chunk edited", "a chunk added"
_MOST_CHANGES = 20


class InputChange(NamedTuple):
    """A change in a few words, the settings before it, and those that it set, by name."""

    label: str
    before: Settings
    settings: Mapping[str, Any]


def replace(chunks: Sequence[T], place: int, *others: T) -> tuple[T, ...]:
    """Put others in the place of the chunk that stands there, counted from 0."""
    return (*chunks[:place], *others, *chunks[place + 1 :])


def split(chunk: Chunk, at: int) -> tuple[Chunk, ...]:
    """Split a chunk after so many characters; it stays whole where a half would be empty."""
    lines = "\n".join(re.split("\r\n?|\n", chunk.text))  # as a browser counts them
    halves = lines[:at].rstrip(), lines[at:].lstrip()
    return tuple(chunk._replace(text=half) for half in halves) if all(halves) else (chunk,)


def move(chunks: Sequence[T], place: int, to: int) -> tuple[T, ...]:
    """Move the chunk at a place to the place `to`, both counted from 0."""
    rest = replace(chunks, place)
    return (*rest[:to], chunks[place], *rest[to:])


def list_changes() -> tuple[InputChange, ...]:
    """The latest changes that can be undone, the last one last."""
    return workspace.value(keys.CHANGES, ())


def change(label: str, opened: int | None = None, **settings: Any) -> None:
    """Change settings, the chunks among them, so that Undo can; open a chunk in the list."""
    values, before = workspace.current().values, state.current()
    if any(before.value(name) != value for name, value in settings.items()):
        changes = *list_changes(), InputChange(label, before, settings)
        values[keys.CHANGES] = changes[-_MOST_CHANGES:]
    values.pop(keys.PASTE_OUTCOME, None)
    state.update(**settings)
    st.session_state[keys.EDITED_CHUNK] = opened


def take(chunks: Chunks, acts: Sequence[Act]) -> None:
    """Do what a person did in the list of these chunks; ends a callback."""
    for act in acts:
        if act.at < len(chunks):
            _do(chunks, act)
            chunks = state.current().chunks
    parts.redraw_changed()


def _do(chunks: Chunks, act: Act) -> None:
    opened = st.session_state.get(keys.EDITED_CHUNK)
    match act:
        case Act("open" | "close" as what, place):
            st.session_state[keys.EDITED_CHUNK] = place if what == "open" else None
        case Act("edit", place, str(text)):
            _edit(chunks, place, make_utf8(text), opened)
        case Act("switch", place):
            on = not chunks[place].on
            switched = replace(chunks, place, chunks[place]._replace(on=on))
            change(f"a chunk switched {'on' if on else 'off'}", opened, chunks=switched)
        case Act("split", place, int(at)) if len(chunks) < MOST_CHUNKS:
            change(
                "a chunk split", opened, chunks=replace(chunks, place, *split(chunks[place], at))
            )
        case Act("delete", place):
            change("a chunk deleted", chunks=replace(chunks, place))
        case Act("move", place, int(to)) if state.current().selection == "all":
            if opened is not None:
                opened = move(range(len(chunks)), place, to).index(opened)
            change("a chunk moved", opened, chunks=move(chunks, place, to))


def _edit(chunks: Chunks, place: int, text: str, opened: int | None) -> None:
    """Change a text; all that somebody types in one chunk, also in a new one, is one change."""
    edited, earlier = replace(chunks, place, chunks[place]._replace(text=text)), list_changes()
    change(_EDITED, opened, chunks=edited)
    if not earlier or earlier[-1].label not in (_EDITED, _ADDED):
        return
    before = earlier[-1].before.chunks
    if replace(before, place) == replace(chunks, place):
        one_change = earlier[-1]._replace(settings={"chunks": edited})
        workspace.current().values[keys.CHANGES] = (*earlier[:-1], one_change)


def add(chunks: Chunks) -> None:
    """Add an empty chunk at the end, and open it; ends a callback."""
    change(_ADDED, len(chunks), chunks=(*chunks, Chunk("", "typed")))
    parts.redraw_changed()


def undo() -> None:
    """Undo the last change, but for settings that were set since; ends a callback."""
    if not list_changes():  # another tab has undone it
        return
    *earlier, last = list_changes()
    values, now = workspace.current().values, state.current()
    values[keys.CHANGES] = tuple(earlier)
    values.pop(keys.PASTE_OUTCOME, None)
    unchanged = [name for name, value in last.settings.items() if now.value(name) == value]
    state.update(**{name: last.before.value(name) for name in ("chunks", *unchanged)})
    st.session_state[keys.EDITED_CHUNK] = None
    if len(last.settings) > 1:
        st.rerun()
    parts.redraw_changed()


def settings_of(request: Request, origin: str = "run") -> dict[str, Any]:
    """The settings by name with which the Playground makes this request, but for its model.

    Its chunks have this `origin` in the list.
    """
    settings: dict[str, Any] = {name: getattr(request, name) for name in SAME_NAME}
    settings["tokenizer"] = model.tokenizer_setting(request.tokenizer, request.model.kind)
    settings |= {"selection": "all", "chunks": from_texts(request.text_chunks, origin)}
    templates, measured = dict(request.templates), dict(request.measured)
    for name in MODES[request.mode].templates:
        settings |= template_settings(name, templates.get(name, ()), measured.get(name, ""))
    return settings | {f"{VARIABLE}{name}": text for name, text in request.variables}


def put(
    request: Request,
    origin: str,
    title: str,
    more: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Put the request of a lesson, a trace or a run into the Playground, with `more` settings."""
    settings = settings_of(request, origin) | dict(more)
    change(f"the {origin} “{title}”", **settings)


_SETTINGS = {"window": "context_window", "answer": "num_output"}


def take_move(move: Moved) -> None:
    """Change the setting, the order of the chunks or the lens, and draw what that changes.

    The place of a chunk counts among those that are sent. Nothing is done where the browser names
    a chunk that is not there any more, or where the question decides on the order.
    """
    if move.what == "lens":
        st.session_state[keys.LENS] = move.to
    elif move.what in _SETTINGS:
        tokens = max(1, min(move.to, MOST_TOKENS))
        state.update(**{_SETTINGS[move.what]: tokens})
    else:
        settings = state.current()
        sent = [place for place, chunk in enumerate(settings.chunks) if chunk.on]
        if settings.selection != "all" or not (1 <= move.number <= len(sent)) or move.to < 1:
            return
        place, to = sent[move.number - 1], sent[min(move.to, len(sent)) - 1]
        if place != to:
            _do(settings.chunks, Act("move", place, to))
    parts.redraw_changed()
