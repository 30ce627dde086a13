"""One column: its head, its flow, and what it would do or what came of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.trace import Plan, Trace
from synth.wording import ranged
from ui.compare import outcome_view
from ui.compare.analysis import Entry, any_ended
from ui.compare.columns import MOST
from ui.compare.differences import differences
from ui.compare.side import Side
from ui.compare.small_flow import small_flow, small_flow_alt
from ui.compare.tags import tags
from ui.look.elements import WIDE, box, chart, small
from ui.look.escape import escape, tags_html
from ui.session import workspace
from ui.views import shared


def draw_side(side: Side, entries: Sequence[Entry]) -> None:
    """The column; `entries` are those of all columns, in order."""
    names = [column.name for column in side.shown.columns]
    entry, reference = entries[names.index(side.column.name)], entries[names.index(side.reference)]
    made = any_ended(entries)
    _head(side, entry, tags(side, entry, made))
    if entry.refused is not None and entry.trace is None:
        box("This can't run.", entry.refused)
        return
    run = entry.trace if entry.trace and entry.trace.calls else entry.high
    if run is not None and run.calls and max(len(run.calls), len(run.setup.chunks)) <= shared.DRAWN:
        _flow(side, run)
    if entry.problem is not None:
        outcome_view.failed(side, entry.problem, 0)
    elif entry.trace is not None:
        outcome_view.draw(side, entry.trace, reference)
    else:
        small(_planned(entry))


def _head(side: Side, entry: Entry, said: list[str]) -> None:
    """Its name, tags and own settings; narrow columns all keep room for a second line."""
    parts = f"<b>{escape(entry.label)}</b>"
    if said:
        parts += tags_html((text, "exact") for text in said)
    if own := differences(side.column):
        parts += f'<div class="small muted num">{escape(own)}</div>'
    narrow = " tagged" if len(side.shown.columns) == MOST else ""
    st.html(f'<div class="side-head{narrow}">{parts}</div>')


def _flow(side: Side, run: Plan | Trace) -> None:
    width = WIDE // len(side.shown.columns)
    key = (id(run), side.look.dark, width)
    figure, alt, _ = workspace.current().remembered(
        # The run is kept beside its figure, so that its id stays its own.
        "small flows",
        key,
        lambda: (small_flow(run, side.look, width), small_flow_alt(run), run),
    )
    chart(figure, f"flow of {side.column.name}", alt)


def _planned(entry: Entry) -> str:
    if entry.high is None or entry.bounds is None:
        return "It can be run, not planned."
    if entry.high.problem:
        return entry.high.problem
    if not entry.high.calls:
        return "No call: there is nothing to ask."
    return f"{ranged(*entry.bounds.calls, 'call')}, not run yet."
