"""The view Questions: a line for each, with what passed in each column and what a person said."""

import math
import re
from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from synth.html.markup import Html, table, tag
from synth.text.wording import short
from ui.look.elements import beside, box
from ui.look.scripts import clicks
from ui.pages.compare import deck, set_editor
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.frame import RunRow, scores_of, sign_of
from ui.pages.compare.measures import totals
from ui.session import keys

_CLICKED = re.compile(r"question ([0-9]{1,6})")
_LONGEST_QUESTION = 200  # characters


def draw(comparison: Comparison, question: int) -> None:
    """Draw the table, and beside it the answers to the question that is open, to be judged."""
    if not any(one.facts or one.checks for one in comparison.asked):
        box(
            "Nothing is expected of the answers yet.",
            "Give a set of questions with facts and checks under Edit columns, type below what is"
            " expected, or judge the answers yourself.",
        )
    set_editor.offer_shipped("grid", beside_another=False)
    clicks(partial(_open, len(comparison.asked)))
    left, right = beside("questions", 1, 1)
    with left:
        shown = _chosen_questions(comparison)
        st.html(_table_html(comparison, shown, question))
        if any(row.trace for row in comparison.rows):
            st.html(_totals_html(comparison))
    with right, st.container(key="deck"):
        deck.draw(comparison, question)
        set_editor.draw_expected(comparison.asked[question])


def _open(questions: int, clicked: str) -> None:
    """Open the question of a line that was clicked; for callbacks."""
    found = _CLICKED.fullmatch(clicked)
    if found and int(found[1]) < questions:
        st.session_state[keys.COMPARE_QUESTION] = int(found[1]) + 1


def _chosen_questions(comparison: Comparison) -> Sequence[int]:
    """The questions that are shown: all, or those that some columns pass and others fail."""
    scores = scores_of(comparison.runs, "score")
    differing = list(scores.index[scores.nunique(axis=1) > 1])
    if len(differing) in (0, len(comparison.asked)):
        return range(len(comparison.asked))
    label = f"Only the {len(differing):,} that columns differ in"
    only = st.toggle(label, key=keys.GRID_FAILURES, persist_state="session")
    return differing if only else range(len(comparison.asked))


def _table_html(comparison: Comparison, questions: Sequence[int], opened: int) -> Html:
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
    rows = (_row_html(comparison, number, opened) for number in questions)
    inside = tag("table", tag("thead", tag("tr", first, *heads)), tag("tbody", *rows))
    return tag("div.questions.num", inside, tabindex="0", role="region", aria_label="Questions")


def _totals_html(comparison: Comparison) -> Html:
    """What all runs of each column made."""
    letters = [column.name for column in comparison.columns]
    rows = ((name, *texts) for name, texts in totals(comparison.runs))
    return tag("div.totals", table("num", ("all runs", *letters), rows))


def _row_html(comparison: Comparison, question: int, opened: int) -> Html:
    words = short(comparison.asked[question].query, _LONGEST_QUESTION)
    button = tag(
        "button", words, type="button", data_click=f"question {question}", dir="auto", title=words
    )
    hidden = question == opened and deck.is_blind(comparison, question)
    cells = (
        tag("td", *_verdicts(comparison.repeats_of(column.name, question), hidden))
        for column in comparison.columns
    )
    kind = "tr.open" if question == opened else "tr"
    return tag(kind, tag("td.muted", f"{question + 1}"), tag("th", button, scope="row"), *cells)


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
