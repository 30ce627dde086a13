"""The columns beside one another, then their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from synth.quality import measure
from ui.compare import answers_view, column_view, report_view
from ui.compare.analysis.column_data import ColumnData, names
from ui.compare.analysis.measures import MeasureRow, measure_rows
from ui.compare.comparison import ColumnView, Comparison
from ui.look.elements import small
from ui.session import keys, workspace
from ui.session.apart import TookTooMuch, apart_if_long
from ui.views.shared import download


def reference_position(comparison: Comparison) -> int:
    """The position of the column that the others are compared with."""
    names = [column.name for column in comparison.columns]
    chosen = st.session_state.get(keys.REFERENCE)
    return names.index(chosen) if chosen in names else 0


def draw(
    comparison: Comparison,
    data: Sequence[ColumnData],
    question: int,
    advised: Sequence[str],
) -> None:
    """Each column for the question that is open, and the answers; `advised` are names."""
    data = [_measured(column) for column in data]
    rows, labels = measure_rows(data), names(data)
    name_of = dict(zip((column.name for column in comparison.columns), labels, strict=True))
    reference = comparison.columns[reference_position(comparison)]
    views = [
        ColumnView(comparison, column, question, reference, name_of)
        for column in comparison.columns
    ]
    with st.container(key="compared"):
        containers = st.columns(len(data), gap="medium")
    for view, column, container in zip(views, data, containers, strict=True):
        with container:
            column_view.draw(view, column, rows, view.name in advised)
    answers_view.draw(views, data)
    if st.toggle("Measures as a table", key=keys.MEASURES_TABLE, persist_state="session"):
        download("Measures", _frame(rows, labels))
    report_view.draw(data, reference_position(comparison))


def _measured(column: ColumnData) -> ColumnData:
    """The column with the measures of its answer, from memory if they were computed before."""
    trace = column.trace
    if trace is None or trace.response is None:
        return column
    work = sum(map(len, trace.setup.chunks))
    # The run is kept beside its measures, so that no other run gets its id.
    try:
        measures, _ = workspace.current().remembered(
            "compared measures",
            id(trace),
            lambda: (apart_if_long(work, measure, trace), trace),
        )
    except TookTooMuch as problem:
        small(f"The measures of {column.label} {problem}, so there are none.")
        return column
    return replace(column, measures=measures)


def _frame(rows: Sequence[MeasureRow], labels: Sequence[str]) -> pd.DataFrame:
    """One row per column of the comparison, with the measures as numbers."""
    frame = pd.DataFrame({"column": pd.Series(labels, dtype=object)})
    for row in rows:
        frame[row.name] = pd.Series(row.amounts, dtype=float).convert_dtypes()
    return frame
