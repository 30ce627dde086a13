"""The first stage: a question, its choices, and a picture of what is known.

What is known: the texts, and calls that are empty but for what must be in each.
"""

from collections.abc import Callable

import streamlit as st

from synth.html.escape import term_html
from synth.html.markup import Html, tag, together
from synth.html.styles import kind_name
from synth.pictures.call_list import EmptyCall, draw_empty_calls
from synth.pictures.meanings import MEANINGS
from synth.pictures.page import page_scene
from synth.text.wording import counted
from ui.look.elements import section, small
from ui.look.scripts import draw_scene
from ui.pages.learn.lessons.exercises import ROOM, parts_of
from ui.pages.learn.lessons.lesson import Asked, Choice, LessonFacts
from ui.pages.learn.location import LessonLocation, go, save_guess, value_label
from ui.settings.request import Request

_LABELS = {"query": "question", ROOM: "room for chunks", "answer": "answer so far"}


def draw(location: LessonLocation) -> None:
    """Draw the stage of Learn: whoever answers goes on to the steps."""

    def take(choice: Choice) -> None:
        save_guess(location, choice)
        go(location.at("step"))

    draw_question(location, take)


def draw_question(
    location: LessonLocation, take: Callable[[Choice], None], *, answered: bool = False
) -> None:
    """Draw the question, its picture, its choices and its texts; `take` gets the answer.

    Where it is `answered` nothing can be chosen any more.
    """
    task, key = location.task, f"choice {location.exercise}"
    guess = location.guess
    choice = st.session_state.get(key, guess)
    with st.container(horizontal=True, vertical_alignment="top", key="lesson_head"):
        question = tag("h2", task.text), tag("p.muted", location.lesson.words.text)
        st.html(tag("div.lesson", *question), width="stretch")
        with st.popover("A hint", icon=":material/lightbulb:"):
            st.html(tag("div.lesson", tag("p", task.hint)))
        st.button(
            "That is my answer",
            type="primary",
            disabled=answered or choice is None,
            on_click=lambda: take(st.session_state[key]),
        )
    draw_empty_picture(location.facts, task.asks)
    with st.container(key="choices"):
        st.segmented_control(
            "Your answer",
            task.choices,
            default=guess if guess in task.choices else None,
            format_func=value_label,
            label_visibility="collapsed",
            disabled=answered,
            key=key,
        )
    if location.lesson.words.answers_from:
        small(location.lesson.words.answers_from)
    section("The question and the chunks")
    st.html(_given_html(location.facts, sizes=task.asks != "chunk tokens"))


def draw_empty_picture(facts: LessonFacts, asks: Asked) -> None:
    """Draw the chunks and an empty call of each kind, without the tokens that are asked."""
    if asks == "chunk tokens":
        return
    calls = empty_calls(facts.request)
    count = facts.high.setup.tokenizer.count
    chunks = [count(chunk) for chunk in facts.request.text_chunks]
    is_asked = asks == "room"
    scene = draw_empty_calls(chunks, calls, facts.request.context_window, is_asked)
    draw_scene(page_scene(scene), "prediction")
    st.html(together(_key_html(call, is_asked) for call in calls))


def _key_html(call: EmptyCall, is_asked: bool) -> Html:
    """Say what the parts of an empty call are, with their tokens, but for those that are asked."""
    words = []
    for kind, tokens in call.parts:
        word = term_html(_LABELS.get(kind) or MEANINGS[kind].label)
        at_most = "≤ " if call.bound and kind == "answer" else ""
        amount = "?" if is_asked and kind == ROOM else f"{at_most}{tokens:,}"
        words.append(tag("span", tag(f"i.k-{kind_name(kind)}"), word, " ", tag("b", amount)))
    return tag("div.key.prediction.num", tag("span", f"{call.name}:"), *words)


def empty_calls(request: Request) -> list[EmptyCall]:
    """Return the calls of this request as it packs them, without their chunks, one of each kind.

    In a chain, each call but the first has an answer in its prompt, which is as long as it may
    be.
    """
    first, later = parts_of(request), parts_of(request, later=True)
    named = {"each call": first} if first == later else {"first call": first, "later calls": later}
    return [
        EmptyCall(
            name,
            tuple((kind, size) for kind, size in parts.items() if size),
            name == "later calls" and parts["answer"] > 0,
        )
        for name, parts in named.items()
    ]


def _given_html(facts: LessonFacts, sizes: bool) -> Html:
    """Write the question and all chunks, open; without `sizes`, no tokens are told."""
    count = facts.high.setup.tokenizer.count
    texts = [("query", "?", "question", facts.request.query_str)]
    texts += [
        ("context", f"{number}", f"chunk {number}", text)
        for number, text in enumerate(facts.request.text_chunks, 1)
    ]
    boxes = (
        tag(
            "div.given.num",
            tag(
                "div.head",
                tag(f"span.number.n-{kind}", sign),
                tag("span", name),
                tag("span", counted(count(text), "token") if sizes else ""),
            ),
            tag("p", text, dir="auto"),
        )
        for kind, sign, name, text in texts
    )
    return tag("div.all-given", *boxes)
