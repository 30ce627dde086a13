"""A person's thumb and note on an answer, and what models said of it by rubrics."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import streamlit as st
from pydantic import Field
from pydantic.dataclasses import dataclass

from synth.quality.rubric import Ruling
from ui.session import keys, workspace
from ui.session.workspace import Workspace
from ui.settings import state

MOST_RULINGS = 20_000
"""The latest that a workspace keeps."""
_LONGEST_NOTE = 10_000  # characters


@dataclass(frozen=True)
class Rating:
    """Whether an answer got a thumb up; None without a thumb. And what a person noted of it."""

    thumb: bool | None = None
    note: Annotated[str, Field(max_length=_LONGEST_NOTE)] = ""


def rating(question: str, answer: str) -> Rating:
    """The rating of an answer; an empty one if there is none."""
    ratings: Mapping[str, Rating] = workspace.value(keys.RATINGS, {})
    return ratings.get(short_hash(question, answer), Rating())


def draw(question: str, answer: str) -> None:
    """Draw the thumbs for an answer, and the note behind a button."""
    key, thumb = f"thumb {short_hash(question, answer)}", rating(question, answer).thumb
    shown = None if thumb is None else int(thumb)
    st.feedback("thumbs", **state.bind(key, shown, _take_thumb, key, question, answer))
    draw_note(question, answer)


def _take_thumb(key: str, question: str, answer: str) -> None:
    chosen = st.session_state[key]
    rate(question, answer, thumb=None if chosen is None else bool(chosen))


def draw_note(question: str, answer: str) -> None:
    """Draw the button behind which the note on an answer is."""
    key, note = f"note {short_hash(question, answer)}", rating(question, answer).note
    with st.popover("Note", icon=f":material/{'edit_note' if note else 'add_comment'}:"):
        st.text_area(
            "Note on this answer",
            max_chars=_LONGEST_NOTE,
            **state.bind(key, note, _take_note, key, question, answer),
        )


def _take_note(key: str, question: str, answer: str) -> None:
    rate(question, answer, note=st.session_state[key])


def rate(question: str, answer: str, **changes: Any) -> None:
    """Change the thumb or the note of an answer; what is left without both is forgotten."""
    name, given = short_hash(question, answer), replace(rating(question, answer), **changes)
    values = workspace.current().values
    ratings = {**values.get(keys.RATINGS, {}), name: given}
    values[keys.RATINGS] = {name: one for name, one in ratings.items() if one != Rating()}


def keep_ruling(space: Workspace, name: str, ruling: Ruling) -> None:
    """Keep what a model said, by the hash of model, question, answer and rubric."""
    found = [*space.values.get(keys.RULINGS, {}).items(), (name, ruling)]
    space.values[keys.RULINGS] = dict(found[-MOST_RULINGS:])


def is_judged(space: Workspace, name: str) -> bool:
    """Whether there is such a ruling, and it could be read."""
    ruling: Ruling | None = space.values.get(keys.RULINGS, {}).get(name)
    return ruling is not None and ruling.passed is not None


def rulings_on(model: str, query: str, answer: str, rubrics: Sequence[str]) -> dict[str, Ruling]:
    """What this model said of an answer, by rubric."""
    held: Mapping[str, Ruling] = workspace.value(keys.RULINGS, {})
    names = {rubric: short_hash(model, query, answer, rubric) for rubric in rubrics}
    return {rubric: held[name] for rubric, name in names.items() if name in held}


def short_hash(*texts: str) -> str:
    """A short name of texts, under which nobody can read them."""
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:20]
