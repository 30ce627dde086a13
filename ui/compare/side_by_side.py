"""The columns beside one another: what they would do, or what came of them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from ui.compare import grid_view, runs
from ui.compare.analysis import Entry, Row, any_ended, findings, planned_findings, rows
from ui.compare.column_view import draw_side
from ui.compare.lineup import Lineup
from ui.compare.measures_figure import measures_alt, measures_figure
from ui.compare.side import Side
from ui.compare.totals import total
from ui.look.elements import at_two_widths, sentence, small
from ui.look.theme import Look
from ui.session import keys
from ui.views.shared import download


def draw(shown: Lineup, look: Look) -> None:
    """All of it, for the question that is open."""
    question = grid_view.draw(shown) if len(shown.questions) > 1 else 0
    entries = [shown.entry(column, question) for column in shown.columns]
    made = any_ended(entries)
    names = [column.name for column in shown.columns]
    reference = names.index(_reference(names))
    parts = findings(entries, reference) if made else planned_findings(entries)
    if parts:
        sentence(parts)
    if line := total(shown, runs.asking(runs.missing(shown), shown)):
        small(line)
    measures = rows(entries)
    different = [row for row in measures if not row.equal]
    only = bool(st.session_state.get(keys.DIFFERENT_ONLY))
    shown_rows = different if only else list(measures)
    if shown_rows:
        _figure(shown_rows, entries, look, reference)
    _choices(names, len(measures) - len(different), made)
    with st.container(key="two_compared"):
        sides = st.columns(len(entries), gap="medium")
    for column, side in zip(shown.columns, sides, strict=True):
        with side:
            draw_side(Side(shown, column, question, names[reference], look), entries)
    if shown_rows:
        download("Measures", _frame(shown_rows, [entry.label for entry in entries]))


def _reference(names: Sequence[str]) -> str:
    """The column that the others are compared with."""
    chosen = st.session_state.get(keys.REFERENCE)
    return str(chosen) if chosen in names else names[0]


def _figure(found: Sequence[Row], entries: Sequence[Entry], look: Look, reference: int) -> None:
    labels = [entry.label for entry in entries]
    at_two_widths(
        lambda width: measures_figure(found, labels, look, width, reference),
        "measures",
        measures_alt(found, labels),
    )


def _choices(names: Sequence[str], equal: int, made: bool) -> None:
    """The reference, and whether equal rows are hidden."""
    with st.container(horizontal=True, vertical_alignment="center", key="compare_choices"):
        if made:
            small_label = "Compare the answers with"
            st.html(f'<div class="small muted">{small_label}</div>', width="content")
            st.segmented_control(
                small_label,
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


def _frame(found: Sequence[Row], labels: Sequence[str]) -> pd.DataFrame:
    """A row a measure, as it is read."""
    frame = {"measure": pd.Series([row.name for row in found], dtype=object)}
    for slot, label in enumerate(labels):
        frame[label] = pd.Series([row.values[slot] for row in found], dtype=object)
    return pd.DataFrame(frame)
