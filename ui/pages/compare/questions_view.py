"""The view Questions: a line for each, with what passed in each column and what a person said."""

import math
import re
from collections.abc import Iterator, Sequence

import streamlit as st

from synth.html.markup import Html, tag
from synth.text.wording import short
from ui.look.elements import box, draw_columns
from ui.look.scripts import clicks
from ui.pages.compare import deck, questions_editor
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.frame import RunRow, sign_of
from ui.session import keys

_CLICKED = re.compile(r"question ([0-9]{1,6})")
_LONGEST_QUESTION = 200  # characters


def draw(comparison: Comparison, question: int) -> None:
    """Draw the table, and beside it the answers to the question that is open, to be judged."""
    if not any(one.facts or one.checks for one in comparison.asked):
        box(
            "Nothing is expected of the answers yet.",
            "Give a set of questions with facts and checks, type below what is expected, or judge"
            " the answers yourself.",
        )
    follow_clicks(comparison)
    left, right = draw_columns("questions", 1, 1)
    with left:
        st.html(_table_html(comparison, question))
    with right, st.container(key="deck"):
        deck.draw(comparison, question)
        questions_editor.draw_expected(comparison.asked[question])


def follow_clicks(comparison: Comparison) -> None:
    """Open the question of a line that is clicked, in this view."""

    def open_question(clicked: str) -> None:
        line = _CLICKED.fullmatch(clicked)
        if line and int(line[1]) < len(comparison.asked):
            st.session_state[keys.COMPARE_QUESTION] = int(line[1]) + 1
            st.session_state[keys.COMPARE_VIEW] = "grid"

    clicks(open_question)


def line_html(comparison: Comparison, question: int) -> Html:
    """Write the number of a question, and the button that opens it."""
    words = short(comparison.asked[question].query, _LONGEST_QUESTION)
    clicked = f"question {question}"
    button = tag("button", words, type="button", data_click=clicked, dir="auto", title=words)
    return tag("td.muted", f"{question + 1}") + tag("th", button, scope="row")


def _table_html(comparison: Comparison, opened: int) -> Html:
    passed = comparison.runs.groupby("column", sort=False)["score"].agg(["sum", "count"])
    heads = (
        tag(
            "th",
            tag("span.letter", str(name)),
            tag("b", f" {one['sum']:g}" if one["count"] else ""),
        )
        for name, one in passed.iterrows()
    )
    of = len(comparison.asked) * comparison.repeats
    first = tag("th.muted", f"passed of {of:,}", colspan="2")
    rows = (_row_html(comparison, number, opened) for number in range(len(comparison.asked)))
    inside = tag("table", tag("thead", tag("tr", first, *heads)), tag("tbody", *rows))
    return tag("div.questions.num", inside, tabindex="0", role="region", aria_label="Questions")


def _row_html(comparison: Comparison, question: int, opened: int) -> Html:
    hidden = question == opened and deck.is_blind(comparison, question)
    cells = (
        tag("td", *_verdicts(comparison.repeats_of(column.name, question), hidden))
        for column in comparison.columns
    )
    kind = "tr.open" if question == opened else "tr"
    return tag(kind, line_html(comparison, question), *cells)


def _verdicts(rows: Sequence[RunRow], hidden: bool) -> Iterator[Html]:
    """The sign of each repeat, how much of what is needed it has, and the thumb."""
    for row in rows:
        is_hidden = hidden and row.answer is not None
        sign, name = ("?", "to be judged") if is_hidden else sign_of(row)
        yield tag(f"span.sign.{_KINDS[sign]}", sign, tag("span.unseen", f" {row.column} {name}"))
    [first, *others] = rows
    if others or hidden:
        return
    if first.needed > 1:
        yield tag("span.muted", f" {first.passed:.0f}/{first.needed:.0f}")
    if not math.isnan(first.right):
        yield tag("span.muted", " right" if first.right else " wrong")


_KINDS = {"✓": "all", "×": "some", "?": "unsure", "–": "blank", "○": "some"}
