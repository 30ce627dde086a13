"""The answers to a question as cards, shuffled and without the names of their columns: a deck."""

import math
import random

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import answer_html
from synth.html.markup import tag
from synth.quality import Fact
from synth.text.wording import counted, listed
from ui.look import scripts
from ui.look.elements import small
from ui.pages.compare.columns import listed_columns
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.ratings import draw_note, rate, rating, short_hash
from ui.session import keys

_BESIDE = 3  # cards in a row


def cards_of(comparison: Comparison, question: int) -> list[str]:
    """List the different answers to a question, in an order that tells nothing of the columns."""
    rows = comparison.by_question[question]
    answers = sorted({row.answer for row in rows if row.answer is not None})
    order = random.Random(short_hash(comparison.asked[question].query, *answers))
    order.shuffle(answers)
    return answers


def is_judged(comparison: Comparison, question: int) -> bool:
    """Whether each answer to a question has a thumb; not where there is no answer."""
    rows = [row for row in comparison.by_question[question] if row.answer is not None]
    return bool(rows) and not any(math.isnan(row.right) for row in rows)


def is_blind(comparison: Comparison, question: int) -> bool:
    """Whether the verdicts on a question are hidden while it is open: it is not judged yet."""
    return bool(cards_of(comparison, question)) and not is_judged(comparison, question)


def draw(comparison: Comparison, question: int) -> None:
    """Draw the cards of a question, with the keys that say which are right, and the way on."""
    scripts.free_the_arrows()
    asked, answers = comparison.asked[question], cards_of(comparison, question)
    total = len(comparison.asked)
    judged = sum(is_judged(comparison, one) for one in range(total))
    small(f"Question {question + 1:,} · {judged:,} of {total:,} judged")
    st.html(tag("div.section", asked.query or "No question", dir="auto"))
    needed = (one.expected for one in asked.expectations if one.needed)
    facts = [f"“{fact.text}”" for fact in needed if isinstance(fact, Fact)]
    if facts:
        small(f"A good answer holds {listed(facts)}.")
    if not answers:
        small("There is no answer yet.")
        return
    containers: list[DeltaGenerator] = []
    while len(containers) < len(answers):
        containers += st.columns(min(len(answers), _BESIDE), gap="small")
    for position, answer in enumerate(answers):
        with containers[position], st.container(border=True):
            _card(comparison, question, position, answer)
    _ways_on(comparison, question, answers)


def _card(comparison: Comparison, question: int, position: int, answer: str) -> None:
    query, number = comparison.asked[question].query, position + 1
    is_right = rating(query, answer).thumb
    words = {True: "Right", False: "Not right", None: "Is it right?"}
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.button(
            words[is_right],
            key=f"card {number}",
            type="primary" if is_right else "secondary",
            shortcut=str(number) if number <= 9 else None,
            on_click=_turn,
            args=(comparison, question, answer),
        )
        draw_note(query, answer)
    if is_judged(comparison, question):
        small(f"by {listed_columns(_columns(comparison, question, answer))}")
    st.html(answer_html(answer) if answer else tag("div.small.muted", "The answer is empty."))


def _columns(comparison: Comparison, question: int, answer: str) -> list[str]:
    """The letters of the columns that gave an answer."""

    gave = (row.column for row in comparison.by_question[question] if row.answer == answer)
    return list(dict.fromkeys(gave))


def _turn(comparison: Comparison, question: int, turned: str | None) -> None:
    """Say that an answer is right, or no longer, and others wrong until they are; None: all are."""
    query = comparison.asked[question].query
    for answer in cards_of(comparison, question):
        thumb = rating(query, answer).thumb
        if answer == turned:
            rate(query, answer, not thumb)
        elif turned is None or thumb is None:
            rate(query, answer, False)


def _reject(comparison: Comparison, question: int) -> None:
    """Say that no answer is right, and go on where another question is to be judged."""
    _turn(comparison, question, None)
    total = len(comparison.asked)
    if any(is_blind(comparison, other) for other in range(total) if other != question):
        _next(comparison, question)


def _ways_on(comparison: Comparison, question: int, answers: list[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Next question",
            key="next_question",
            shortcut="Enter",
            on_click=_next,
            args=(comparison, question),
        )
        st.button(
            "None is right",
            key="none_is_right",
            shortcut="0",
            on_click=_reject,
            args=(comparison, question),
        )
        rows = comparison.by_question[question]
        gave = {row.column for row in rows if row.answer is not None}
        small(f"Shuffled: {counted(len(answers), 'answer')} of {counted(len(gave), 'column')}.")


def _next(comparison: Comparison, question: int) -> None:
    """Open the next question that is not judged, after the last from the first on."""
    total = len(comparison.asked)
    later = [(question + step) % total for step in range(1, total)]
    unjudged = [one for one in later if is_blind(comparison, one)]
    following = unjudged[0] if unjudged else (question + 1) % total
    st.session_state[keys.COMPARE_QUESTION] = following + 1
