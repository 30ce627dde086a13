"""The columns beside one another, under the figure of their measures."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from ui.compare import column_view
from ui.compare.analysis.column_data import ColumnData, any_ended
from ui.compare.analysis.measures import MeasureRow, measure_rows
from ui.compare.comparison import ColumnView, Comparison
from ui.compare.measures_figure import measures_alt, measures_figure
from ui.look.elements import at_two_widths, small
from ui.look.theme import Look
from ui.session import keys
from ui.views.shared import download


def reference_position(comparison: Comparison) -> int:
    """The position of the column that the others are compared with."""
    names = [column.name for column in comparison.columns]
    chosen = st.session_state.get(keys.REFERENCE)
    return names.index(chosen) if chosen in names else 0


def draw(
    comparison: Comparison, data: Sequence[ColumnData], question: int, reference: int, look: Look
) -> None:
    """The measures, the choices, and each column for the question that is open."""
    rows = measure_rows(data)
    different = [row for row in rows if not row.equal]
    different_only = bool(st.session_state.get(keys.DIFFERENT_ONLY))
    visible_rows = different if different_only else list(rows)
    labels = [column.label for column in data]
    if visible_rows:
        at_two_widths(
            lambda width: measures_figure(visible_rows, labels, look, width, reference),
            "measures",
            measures_alt(visible_rows, labels),
        )
    names = [column.name for column in comparison.columns]
    _choices(names, len(rows) - len(different), any_ended(data))
    with st.container(key="two_compared"):
        containers = st.columns(len(data), gap="medium")
    for column, container in zip(comparison.columns, containers, strict=True):
        with container:
            view = ColumnView(comparison, column, question, names[reference], look)
            column_view.draw(view, data)
    if visible_rows:
        download("Measures", _frame(visible_rows, labels))


def _choices(names: Sequence[str], equal: int, ended: bool) -> None:
    """The reference, and whether rows with `equal` values are hidden."""
    with st.container(horizontal=True, vertical_alignment="center", key="compare_choices"):
        if ended:
            reference_label = "Compare the answers with"
            st.html(f'<div class="small muted">{reference_label}</div>', width="content")
            st.segmented_control(
                reference_label,
                names,
                default=names[0],
                required=True,
                label_visibility="collapsed",
                key=keys.REFERENCE,
                persist_state="session",
            )
        st.toggle("Different only", key=keys.DIFFERENT_ONLY, persist_state="session")
        if st.session_state[keys.DIFFERENT_ONLY] and equal:
            small(f"{equal} {'row is' if equal == 1 else 'rows are'} equal and hidden.")


def _frame(rows: Sequence[MeasureRow], labels: Sequence[str]) -> pd.DataFrame:
    """One row per measure, with the values as text."""
    frame = {"measure": pd.Series([row.name for row in rows], dtype=object)}
    for position, label in enumerate(labels):
        frame[label] = pd.Series([row.values[position] for row in rows], dtype=object)
    return pd.DataFrame(frame)
