"""The view Trade-off: what the columns cost, against what their answers are worth."""

from collections.abc import Mapping, Sequence
from statistics import fmean

import streamlit as st

from synth.html.escape import sentence_html
from synth.html.markup import Html, tag
from synth.quality import Scores
from synth.quality.verdicts import EQUAL, question_means
from synth.text.wording import counted, listed
from ui.look.elements import beside, box, button_row, chart, section, small
from ui.pages.compare import set_editor
from ui.pages.compare.analysis.trade_off import (
    AMOUNTS,
    MEASURES,
    Amount,
    Measure,
    Weighed,
    shared_columns,
    trade_off_findings,
    trade_off_of,
)
from ui.pages.compare.analysis.trade_off_chart import TradeOff, trade_off_alt, trade_off_figure
from ui.pages.compare.cells import Cell
from ui.pages.compare.comparison import Comparison, lettered

_LEGEND = tag(
    "div.key.num",
    tag("span", "● no other column is better for as little"),
    tag("span", "○ behind: another column is as good or better, and takes no more"),
    tag("span", "bars: where the mean of many such questions would likely be (95\u00a0%)"),
    tag("span", "┄ the best for each amount"),
)


def draw(comparison: Comparison) -> None:
    """The choice of the two axes, the figure, and what it shows in a paragraph."""
    set_editor.offer_shipped("trade_off", beside_another=False)
    comparison = lettered(comparison)
    worths = {name: comparison.scores(measure.of) for name, measure in MEASURES.items()}
    takes = {name: comparison.scores(amount.of) for name, amount in AMOUNTS.items()}
    measures = [
        name for name, values in worths.items() if any(map(question_means, values.values()))
    ]
    amounts = [name for name, values in takes.items() if any(map(_tells, values.values()))]
    if not measures or not amounts:
        box("There is nothing to show yet.", "Run all: each column becomes a point.")
        return
    with st.container(horizontal=True, horizontal_alignment="distribute", key="trade_off_axes"):
        telling = next((name for name in measures if _tell_apart(worths[name])), measures[0])
        measure = _choice("Measure", measures, telling, "trade_off_measure")
        amount = _choice("Amount", amounts, amounts[0], "trade_off_amount")
    weighed = [Weighed(name, worth, takes[amount][name]) for name, worth in worths[measure].items()]
    _drawn(weighed, MEASURES[measure], AMOUNTS[amount], comparison)


def _drawn(
    columns: Sequence[Weighed], measure: Measure, amount: Amount, comparison: Comparison
) -> None:
    """The figure of these columns, and beside it the findings."""
    shared = shared_columns(columns)
    if not shared:
        box("There is nothing to show yet.", "No question has a value in each column: run all.")
        return
    found = trade_off_of(shared, measure, amount)
    left, right = beside("trade_off", 9, 4)
    with left:
        chart(trade_off_figure(found), "trade_off", trade_off_alt(found))
        st.html(_names_html(found, comparison.row(0)) + _LEGEND)
    with right:
        section("What it shows")
        st.html(sentence_html(trade_off_findings(found, shared, measure, amount), "findings"))
        section("How it is measured")
        small(f"{measure.formula} {_basis(shared, columns)}")


def _names_html(found: TradeOff, row: Sequence[Cell]) -> Html:
    """What the letters of the points stand for, with what each point says."""
    columns = {
        cell.name: ", ".join(filter(None, (cell.request.mode, cell.differs))) for cell in row
    }
    names = []
    for point in found.points:
        end = f", behind {point.behind}" if point.behind else ""
        words = f" {columns[point.name]}: {point.words}{end}"
        names.append(tag("span", tag("b", point.name), words))
    return tag("div.key.num", *names)


def _basis(shared: Sequence[Weighed], columns: Sequence[Weighed]) -> str:
    """Over which questions the means are, and which columns are left out."""
    questions = len(shared[0].measures)
    drawn = {column.name for column in shared}
    left_out = [column.name for column in columns if column.name not in drawn]
    words = f"Means over {counted(questions, 'question')}, those of the repeats taken first."
    if left_out:
        words += f" {listed(left_out)} {'has' if len(left_out) == 1 else 'have'} no value here."
    return words


def _tell_apart(columns: Mapping[str, Scores]) -> bool:
    """Whether the columns have different means."""
    means = [fmean(known) for one in columns.values() if (known := question_means(one))]
    return bool(means) and max(means) - min(means) > EQUAL


def _tells(values: Scores) -> bool:
    """Whether any is more than nothing; what is free has no cost to compare."""
    return any(one for repeats in values for one in repeats)


def _choice(label: str, options: Sequence[str], first: str, key: str) -> str:
    """What stands on one of the axes, with the choice if there is one; `first` is its default."""
    if len(options) == 1:
        return options[0]
    return button_row(label, options, key, first=options.index(first))
