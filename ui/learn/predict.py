"""The first stage: a question, and a picture that helps without giving the answer away."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from synth.wording import counted
from ui.figures import BudgetRow
from ui.learn import lesson_state
from ui.learn.empty_calls import empty_calls
from ui.learn.location import LessonLocation
from ui.learn.pictures import WIDTH
from ui.learn.prediction_figure import predict_alt, predict_figure
from ui.lessons.lesson import Choice, LessonFacts, LessonQuestion
from ui.look.elements import chart, section, small, table
from ui.look.escape import escape, pane_html
from ui.look.theme import MEANINGS, SEGMENTS, Look
from ui.request.request import Request
from ui.views.shared import legend

_SHORT = 14  # letters of a choice that may stand beside the others
_HIDDEN = ("context", "free")  # segments that would give the answer away


def draw_text(location: LessonLocation, facts: LessonFacts, look: Look) -> None:
    """The question, its choices, the buttons to go on, and a hint."""
    question = location.lesson.question(facts)
    st.html(f'<div class="lesson"><h2>{escape(question.text)}</h2></div>')
    choice = _choice(location, question)
    with st.container(horizontal=True, vertical_alignment="center", key="answer"):
        st.button(
            "That is my answer",
            type="primary",
            disabled=choice is None,
            on_click=_save_and_go_on,
            args=(location, _key(location)),
        )
        if "reveal" not in location.hidden:
            st.button(
                "I don't know, show me",
                type="tertiary",
                on_click=lesson_state.go,
                args=(location.at("reveal"),),
            )
    if (guess := lesson_state.guess_at(location)) is not None:
        small(f"Your answer: {_choice_label(guess)}.")
    with st.expander("A hint", icon=":material/lightbulb:"):
        st.html(f'<div class="lesson"><p>{escape(question.hint)}</p></div>')
    small("All numbers are computed from this input. Nothing is sent to a model.")


def _choice(location: LessonLocation, question: LessonQuestion) -> Choice | None:
    """The choice made so far; short choices stand in a row, longer ones in a list."""
    key, guess = _key(location), lesson_state.guess_at(location)
    default = guess if guess in question.choices else None
    if all(len(_choice_label(choice)) <= _SHORT for choice in question.choices):
        chosen = st.segmented_control(
            "Your answer",
            question.choices,
            default=default,
            format_func=_choice_label,
            label_visibility="collapsed",
            key=key,
        )
    else:
        chosen = st.radio(
            "Your answer",
            question.choices,
            index=None if default is None else question.choices.index(default),
            label_visibility="collapsed",
            key=key,
        )
    return chosen


def _choice_label(choice: Choice) -> str:
    return f"{choice:,}" if isinstance(choice, int) else choice


def _key(location: LessonLocation) -> str:
    return f"choice {location.exercise}"


def _save_and_go_on(location: LessonLocation, key: str) -> None:
    lesson_state.save_guess(location, st.session_state[key])
    lesson_state.go(location.at("reveal" if "step" in location.hidden else "step"))


def draw_picture(location: LessonLocation, facts: LessonFacts, look: Look) -> None:
    """The chunks and as many empty calls as are guessed; one call if the guess is of another kind.

    If the question asks for the tokens of a chunk, only the texts are shown.
    """
    chunks = [facts.high.setup.tokenizer.count(chunk) for chunk in facts.request.chunks]
    if location.lesson.question(facts).asks == "chunk tokens":
        _texts(facts.request)
        return
    calls = empty_calls(facts, _guessed_calls(location, facts))
    if not calls:
        return
    section(_heading(location, facts, calls))
    legend(calls)
    chart(predict_figure(chunks, calls, look, WIDTH), "prediction", predict_alt(chunks, calls))
    with st.expander("The numbers of this picture"):
        table(_frame(chunks, calls))
    with st.expander("The question and the chunks", "budget" not in location.lesson.pictures):
        _texts(facts.request)


def _texts(request: Request) -> None:
    """The texts to read: the question and all chunks."""
    chunks = [(f"chunk {number}", text) for number, text in enumerate(request.chunks, 1)]
    with st.container(key="lesson_reading"):
        st.html(pane_html([("question", request.query)], "query"))
        st.html(pane_html(chunks, "context"))


def _heading(location: LessonLocation, facts: LessonFacts, calls: Sequence[BudgetRow]) -> str:
    guess = st.session_state.get(_key(location))
    if location.lesson.question(facts).asks == "calls" and guess is not None:
        return f"The chunks and your {counted(len(calls), 'call')}, on one scale of tokens"
    return "The chunks and an empty call, on one scale of tokens"


def _guessed_calls(location: LessonLocation, facts: LessonFacts) -> int:
    guess = st.session_state.get(_key(location))
    if isinstance(guess, int) and location.lesson.question(facts).asks == "calls":
        return max(1, guess)
    return 1


def _frame(chunks: Sequence[int], calls: Sequence[BudgetRow]) -> pd.DataFrame:
    """The tokens of each chunk and of each part of the calls, without the room for chunks."""
    rows = [(f"chunk {number}", "chunks", tokens) for number, tokens in enumerate(chunks, 1)]
    for row in calls:
        parts = (kind for kind in SEGMENTS if kind not in _HIDDEN and row.tokens(kind))
        rows += [(row.label, MEANINGS[kind].label, row.tokens(kind)) for kind in parts]
    return pd.DataFrame(rows, columns=["of", "part", "tokens"])
