"""The buttons that download the report of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from ui.compare.analysis.column_data import ColumnData, names
from ui.compare.analysis.measures import measure_rows
from ui.compare.analysis.run_findings import run_findings
from ui.report import Compared, ReportedRun, comparison_html, comparison_markdown


def draw(data: Sequence[ColumnData], reference: int) -> None:
    """Draw the buttons once a column has a run; a report is made when its button is pressed."""
    if not any(column.trace for column in data):
        return
    with st.container(horizontal=True, key="compare_report"):
        st.download_button(
            "Report",
            lambda: comparison_html(compared(data, reference), datetime.now(UTC)),
            "comparison.html",
            "text/html",
            icon=":material/description:",
            on_click="ignore",
            help="One file on this question with the answers, the figures and every prompt. It"
            " opens without a network and can be printed; it holds no key and no address.",
            key="report",
        )
        st.download_button(
            "Summary in Markdown",
            lambda: comparison_markdown(compared(data, reference)),
            "comparison.md",
            "text/markdown",
            icon=":material/markdown:",
            on_click="ignore",
            help="Findings, measures and answers, to paste into an issue.",
            key="report_markdown",
        )


def compared(data: Sequence[ColumnData], reference: int) -> Compared:
    """The columns as their report tells them; `reference` is a position in `data`."""
    named = list(zip(names(data), data, strict=True))
    ran = [(name, column) for name, column in named if column.trace is not None]
    return Compared(
        data[0].request.query,
        [
            (name, ReportedRun(column.request, column.trace, column.bounds))
            for name, column in ran
            if column.trace is not None
        ],
        [(name, _reason(column)) for name, column in named if column.trace is None],
        run_findings(data, reference),
        [(row.name, row.values) for row in measure_rows([column for _, column in ran])],
        named[reference][0],
    )


def _reason(column: ColumnData) -> str:
    """Why a column has no run; what a server said is left out."""
    if column.refused is not None:
        return column.refused
    return "The run failed." if column.problem else "It was not run."
