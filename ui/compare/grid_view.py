"""The view Grid: which runs passed what is expected of them, and what that tells of the columns."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.quality import Average, average
from synth.wording import Bold, counted
from ui.compare import one_run
from ui.compare.analysis.column_data import ColumnData, names
from ui.compare.analysis.judged_frame import judged_frame
from ui.compare.analysis.judged_runs import PASSING, Expected, Judged, scores
from ui.compare.analysis.trade_off import LIKENESS, MEASURES
from ui.compare.analysis.verdict_words import rate_words, rates, verdict_sentences
from ui.compare.comparison import Comparison
from ui.compare.grid_html import LEGEND, grid_html, verdict_html
from ui.compare.judging import expected_of, judged
from ui.compare.set_editor import offer_shipped
from ui.look.elements import box, section, sentence, small
from ui.report.tables import as_csv


def draw(comparison: Comparison, data: Sequence[ColumnData], question: int, reference: int) -> None:
    """The rates in a sentence, the grid, the verdicts, and the run whose tile is open."""
    labels = names(data)
    expected = [expected_of(comparison, at) for at in range(len(comparison.questions))]
    if not any(one.facts or one.checks or one.reference for one in expected):
        box(
            "Nothing is expected of the answers yet.",
            "Give a set of questions with facts and checks under Edit columns, or type the facts"
            " of a question under Facts.",
        )
    if not comparison.asked:
        offer_shipped("grid")
    columns = judged(comparison, expected)
    found = rates(columns)
    opened = (question, *one_run.opened(comparison))
    if words := _rate_sentence(labels, found):
        sentence(words)
        small(PASSING)
    with st.container(key="two_grid"):
        left, right = st.columns([10, 4], gap="medium")
    with left:
        alike = _likeness(columns)
        st.html(grid_html(comparison.questions, expected, labels, columns, found, alike, opened))
        st.html(LEGEND)
        _download(comparison, expected, data, columns)
    with right:
        _verdicts(labels, columns, reference)
    one_run.draw(comparison, labels, opened, columns, expected)


def _likeness(columns: Sequence[Judged]) -> dict[str, list[Average]]:
    """The measures beside reference answers, of each column; none without such an answer."""
    found = {
        name: [average(scores(column, MEASURES[name].score)) for column in columns]
        for name in LIKENESS
    }
    return {name: means for name, means in found.items() if any(one.questions for one in means)}


def _download(
    comparison: Comparison,
    expected: Sequence[Expected],
    data: Sequence[ColumnData],
    columns: Sequence[Judged],
) -> None:
    """The button that saves all runs as CSV, made when it is pressed."""
    if any(run is not None for column in columns for repeats in column for run in repeats):
        st.download_button(
            "All runs as CSV",
            lambda: as_csv(
                judged_frame(comparison.questions, expected, names(data), data, columns)
            ),
            "grid.csv",
            "text/csv",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
            help="A row for each run: what passed, what failed, the measures, cost and answer.",
            key="grid_csv",
        )


def _rate_sentence(labels: Sequence[str], found: Sequence[Average]) -> list[str]:
    """The questions that each column passed, most first."""
    rated = [
        (name, rate) for name, rate in zip(labels, found, strict=True) if rate.mean is not None
    ]
    if not rated:
        return []
    rated.sort(key=lambda pair: -(pair[1].mean or 0))
    (best, rate), *others = rated
    questions = counted(rate.questions, "question")
    parts: list[str] = [Bold(f"{best} passes {rate_words(rate)[0]} of {questions}")]
    for name, other in others:
        # A column that was not run for all questions has another number of them.
        of = f" of {other.questions:,}" if other.questions != rate.questions else ""
        parts.append(f", {name} {rate_words(other)[0]}{of}")
    return [*parts, "."]


def _verdicts(labels: Sequence[str], columns: Sequence[Judged], reference: int) -> None:
    section(f"{labels[reference]} beside the others")
    found = verdict_sentences(labels, [scores(column) for column in columns], reference)
    if not found:
        ran = any(run is not None for column in columns for repeats in column for run in repeats)
        small(
            "No run passes or fails before something is expected of its answer."
            if ran
            else "Run all to see which of them is better, if that can be told."
        )
        return
    with st.container(border=True, gap="small"):
        for words, detail in found:
            st.html(verdict_html(words, detail))
    small(
        "One column is called better only where the bootstrap interval and the exact sign test"
        " agree, both corrected for the number of columns."
    )
