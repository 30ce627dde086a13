"""What a person changes in the list of chunks and in the picture; the last change can be undone."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from synth.documents.decoding import MOST_CHUNKS
from synth.text.wording import make_utf8
from ui.look.scripts import Act, Moved
from ui.session import keys, parts, workspace
from ui.settings import state
from ui.settings.schema import MOST_TOKENS, Chunk, Chunks

T = TypeVar("T")

_EDITED, _ADDED = "a chunk edited", "a chunk added"


class ChunkChange(NamedTuple):
    """The last change in a few words, the chunks before it, other settings before and after it."""

    label: str
    before: Chunks
    others: Mapping[str, tuple[Any, Any]]


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


def last() -> ChunkChange | None:
    """The last change, if there is one to be undone."""
    return workspace.value(keys.LAST_CHANGE, None)


def change(label: str, chunks: Chunks, opened: int | None = None, **others: Any) -> None:
    """Replace the chunks, open one in the list, and set `others`, which an undo sets back."""
    settings, values = state.current(), workspace.current().values
    before = {name: (settings.value(name), value) for name, value in others.items()}
    values[keys.LAST_CHANGE] = ChunkChange(label, settings.chunks, before)
    values.pop(keys.PASTE_OUTCOME, None)
    state.update(chunks=chunks, **others)
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
            change(f"a chunk switched {'on' if on else 'off'}", switched, opened)
        case Act("split", place, int(at)) if len(chunks) < MOST_CHUNKS:
            change("a chunk split", replace(chunks, place, *split(chunks[place], at)), opened)
        case Act("delete", place):
            change("a chunk deleted", replace(chunks, place))
        case Act("move", place, int(to)) if state.current().selection == "all":
            if opened is not None:
                opened = move(range(len(chunks)), place, to).index(opened)
            change("a chunk moved", move(chunks, place, to), opened)


def _edit(chunks: Chunks, place: int, text: str, opened: int | None) -> None:
    """Change a text; all that somebody types in one chunk, also in a new one, is one change."""
    earlier = last()
    change(_EDITED, replace(chunks, place, chunks[place]._replace(text=text)), opened)
    if earlier is None or earlier.label not in (_EDITED, _ADDED):
        return
    if replace(earlier.before, place) == replace(chunks, place):
        workspace.current().values[keys.LAST_CHANGE] = earlier


def add(chunks: Chunks) -> None:
    """Add an empty chunk at the end, and open it; ends a callback."""
    change(_ADDED, (*chunks, Chunk("", "typed")), len(chunks))
    parts.redraw_changed()


def undo() -> None:
    """Undo the last change, but for other settings that were set since; ends a callback."""
    if (last_change := last()) is None:
        return
    now = state.current()
    pairs = last_change.others.items()
    others = {name: before for name, (before, after) in pairs if now.value(name) == after}
    change("undone", last_change.before, **others)
    workspace.current().values.pop(keys.LAST_CHANGE)
    if others:
        st.rerun()
    parts.redraw_changed()


_SETTINGS = {"window": "context_window", "answer": "num_output"}


def take_move(move: Moved) -> None:
    """Change the setting, the order of the chunks or the lens, and draw what that changes.

    The place of a chunk counts among those that are sent. Nothing is done where the browser names
    a chunk that is not there any more, or where the question decides on the order.
    """
    if move.what == "lens":
        st.session_state[keys.LENS] = move.to
        parts.redraw_changed()
        return
    if move.what in _SETTINGS:
        tokens = max(1, min(move.to, MOST_TOKENS))
        state.update(**{_SETTINGS[move.what]: tokens})
        parts.redraw_changed()
        return
    settings = state.current()
    sent = [place for place, chunk in enumerate(settings.chunks) if chunk.on]
    if settings.selection != "all" or not (1 <= move.number <= len(sent)) or move.to < 1:
        return
    place, to = sent[move.number - 1], sent[min(move.to, len(sent)) - 1]
    if place != to:
        take(settings.chunks, [Act("move", place, to)])
