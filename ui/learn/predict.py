"""The first stage: a question, and a picture that helps to think without telling."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from synth.wording import counted
from ui.figures import BudgetRow
from ui.learn import here, progress
from ui.learn.empty_calls import empty_calls
from ui.learn.place import Place
from ui.learn.prediction_figure import predict_alt, predict_figure
from ui.learn.style import WIDTH
from ui.lessons.lesson import Choice, Facts, Question
from ui.look.elements import chart, section, small, table
from ui.look.escape import escape, pane_html
from ui.look.theme import MEANINGS, SEGMENTS, Look
from ui.request.request import Request
from ui.views.shared import legend

_SHORT = 14  # letters of a choice


def words(place: Place, found: Facts, look: Look) -> None:
    """The question, its choices, the two ways on, a hint."""
    question = place.lesson.question(found)
    st.html(f'<div class="lesson"><h2>{escape(question.text)}</h2></div>')
    choice = _choice(place, question)
    with st.container(horizontal=True, vertical_alignment="center", key="answer"):
        st.button(
            "That is my answer",
            type="primary",
            disabled=choice is None,
            on_click=_predict,
            args=(place, _key(place)),
        )
        if "reveal" not in place.hidden:
            st.button(
                "I don't know, show me",
                type="tertiary",
                on_click=here.go,
                args=(place.at("reveal"),),
            )
    if (guess := progress.guess(place)) is not None:
        small(f"Your answer: {_named(guess)}.")
    with st.expander("A hint", icon=":material/lightbulb:"):
        st.html(f'<div class="lesson"><p>{escape(question.hint)}</p></div>')
    small("The numbers are those of this very input. Nothing is sent to a model.")


def _choice(place: Place, question: Question) -> Choice | None:
    """Numbers and short words beside one another, longer ones below one another."""
    key, guess = _key(place), progress.guess(place)
    known = guess if guess in question.choices else None
    if all(len(_named(choice)) <= _SHORT for choice in question.choices):
        chosen = st.segmented_control(
            "Your answer",
            question.choices,
            default=known,
            format_func=_named,
            label_visibility="collapsed",
            key=key,
        )
    else:
        chosen = st.radio(
            "Your answer",
            question.choices,
            index=None if known is None else question.choices.index(known),
            label_visibility="collapsed",
            key=key,
        )
    return chosen


def _named(choice: Choice) -> str:
    return f"{choice:,}" if isinstance(choice, int) else choice


def _key(place: Place) -> str:
    return f"choice {place.exercise}"


def _predict(place: Place, key: str) -> None:
    progress.predict(place, st.session_state[key])
    here.go(place.at("reveal" if "step" in place.hidden else "step"))


def picture(place: Place, found: Facts, look: Look) -> None:
    """The chunks, and the calls of the guess, empty; one call where calls are not the question.

    Where the tokens of a chunk are to be predicted, there is only its text.
    """
    chunks = [found.high.setup.tokenizer.count(chunk) for chunk in found.request.chunks]
    if place.lesson.question(found).asks == "chunk tokens":
        _texts(found.request)
        return
    calls = empty_calls(found, _guessed_calls(place, found))
    if not calls:
        return
    section(_heading(place, found, calls))
    legend(calls)
    chart(predict_figure(chunks, calls, look, WIDTH), "prediction", predict_alt(chunks, calls))
    with st.expander("The numbers of this picture"):
        table(_frame(chunks, calls))
    with st.expander("The question and the chunks", "budget" not in place.lesson.pictures):
        _texts(found.request)


def _texts(request: Request) -> None:
    """What is to be read: the question, and all chunks."""
    chunks = [(f"chunk {at}", text) for at, text in enumerate(request.chunks, 1)]
    with st.container(key="lesson_reading"):
        st.html(pane_html([("question", request.query)], "query"))
        st.html(pane_html(chunks, "context"))


_HELD = tuple(kind for kind in SEGMENTS if kind != "free")


def _heading(place: Place, found: Facts, calls: Sequence[BudgetRow]) -> str:
    guess = st.session_state.get(_key(place))
    if place.lesson.question(found).asks == "calls" and guess is not None:
        return f"The chunks and your {counted(len(calls), 'call')}, on one scale of tokens"
    return "The chunks and an empty call, on one scale of tokens"


def _guessed_calls(place: Place, found: Facts) -> int:
    guess = st.session_state.get(_key(place))
    if isinstance(guess, int) and place.lesson.question(found).asks == "calls":
        return max(1, guess)
    return 1


def _frame(chunks: Sequence[int], calls: Sequence[BudgetRow]) -> pd.DataFrame:
    """The tokens of each chunk and of each part of the calls; the room is not told."""
    rows = [(f"chunk {number}", "chunks", tokens) for number, tokens in enumerate(chunks, 1)]
    for row in calls:
        parts = (kind for kind in _HELD if kind != "context" and row.tokens(kind))
        rows += [(row.label, MEANINGS[kind].label, row.tokens(kind)) for kind in parts]
    return pd.DataFrame(rows, columns=["of", "part", "tokens"])
