"""The first stage: a question, the sum that leads to its answer, and a picture of what is known."""

from collections.abc import Sequence

import streamlit as st

from synth.html.glossary import term_html
from synth.html.markup import Html, tag, together
from synth.html.styles import kind_name
from synth.pictures.budget import BudgetRow
from synth.pictures.prediction import ROOM, different_calls, prediction, segment_words
from synth.pictures.shapes import shown
from synth.text.wording import counted
from ui.look.elements import section, small
from ui.look.scripts import draw_picture
from ui.pages.learn import lesson_state
from ui.pages.learn.empty_calls import empty_calls, given_html, sums_html
from ui.pages.learn.lessons.lesson import Choice, LessonFacts, LessonQuestion
from ui.pages.learn.location import LessonLocation, value_label
from ui.pages.learn.pictures import WIDTHS

_SHORT = 14  # letters of a choice that may stand beside the others


def draw_text(location: LessonLocation, facts: LessonFacts) -> None:
    """The question, its choices, the buttons to go on, the sum to do, and a hint."""
    question = location.lesson.question(facts)
    st.html(tag("div.lesson", tag("h2", question.text)))
    choice = _choice(location, question)
    with st.container(horizontal=True, vertical_alignment="center", key="answer"):
        st.button(
            "That is my answer",
            type="primary",
            disabled=choice is None,
            on_click=_save_and_go_on,
            args=(location, _key(location)),
        )
        if following := location.stages[1:]:
            st.button(
                "Show me the steps" if following[0] == "step" else "Show me",
                type="tertiary",
                on_click=lesson_state.go,
                args=(location.at(following[0]),),
                key="show_me",
            )
    if (guess := lesson_state.guess_at(location)) is not None:
        small(f"Your answer: {value_label(guess)}.")
    if question.to_do:
        section("The sum to do")
        st.html(sums_html(question.to_do, "The sum to do"))
    with st.expander("A hint", icon=":material/lightbulb:"):
        st.html(tag("div.lesson", tag("p", question.hint)))
    small("All numbers are computed from this input. Nothing is sent to a model.")


def _choice(location: LessonLocation, question: LessonQuestion) -> Choice | None:
    """The choice made so far; short choices stand in a row, longer ones in a list."""
    key, guess = _key(location), lesson_state.guess_at(location)
    default = guess if guess in question.choices else None
    if all(len(value_label(choice)) <= _SHORT for choice in question.choices):
        chosen = st.segmented_control(
            "Your answer",
            question.choices,
            default=default,
            format_func=value_label,
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


def _key(location: LessonLocation) -> str:
    return f"choice {location.exercise}"


def _save_and_go_on(location: LessonLocation, key: str) -> None:
    lesson_state.save_guess(location, st.session_state[key])
    lesson_state.go(location.at("reveal" if "step" in location.hidden else "step"))


def draw_prediction(location: LessonLocation, facts: LessonFacts) -> None:
    """The chunks and as many empty calls as are guessed; one call if the guess is of another kind.

    If the question asks for the tokens of a chunk, only the texts are shown.
    """
    secret = location.lesson.question(facts).asks == "chunk tokens"
    if not secret and (calls := empty_calls(facts, _guessed_calls(location, facts))):
        section(_heading(location, facts, calls))
        count = facts.high.setup.tokenizer.count
        chunks = [count(chunk) for chunk in facts.request.text_chunks]
        draw_picture(shown([prediction(chunks, calls, width) for width in WIDTHS]), "prediction")
        st.html(segments_html(calls))
    section("The question and the chunks")
    st.html(given_html(facts, sizes=not secret))


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


def segments_html(calls: Sequence[BudgetRow]) -> Html:
    """What the segments of empty calls are, with their tokens, once for each kind of call."""
    several = len(list(different_calls(calls))) > 1
    return together(_segments_html(call, several) for call in different_calls(calls))


def _segments_html(call: BudgetRow, named: bool) -> Html:
    words = (
        tag(
            "span",
            tag(f"i.k-{'room' if kind == ROOM else kind_name(kind)}"),
            term_html(word),
            " ",
            tag("b", amount),
        )
        for kind, tokens in call.segments
        for word, amount in [segment_words(call, kind, tokens)]
    )
    label = tag("span", f"{call.label}:") if named else ""
    return tag("div.key.prediction.num", label, *words)
