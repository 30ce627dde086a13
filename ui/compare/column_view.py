"""One column: its head with tags, its flow, and its plan or the outcome of its run."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.trace import Plan, Trace
from synth.wording import counted, ranged
from ui.compare import outcome_view
from ui.compare.analysis.column_data import ColumnData, any_ended
from ui.compare.analysis.text_sent import lost_tokens
from ui.compare.columns import MOST_COLUMNS, differences
from ui.compare.comparison import ColumnView
from ui.compare.run_slots import RunSlot, send_same_prompts
from ui.figures import flow_alt, flow_figure
from ui.look.elements import WIDE, box, chart, small
from ui.look.escape import escape, tags_html
from ui.look.theme import Figure, Look
from ui.session import workspace
from ui.trace.states import states_of
from ui.views import shared

_FLOW_HEIGHT = 132  # pixels


def draw(view: ColumnView, data: Sequence[ColumnData]) -> None:
    """The column; `data` are those of all columns, in order."""
    data_of = dict(zip((column.name for column in view.comparison.columns), data, strict=True))
    column, reference = data_of[view.column.name], data_of[view.reference]
    _head(view, column, _tags(view, column, any_ended(data)))
    if column.refused is not None and column.trace is None:
        box("This can't run.", column.refused)
        return
    run = column.trace if column.trace and column.trace.calls else column.high
    if run is not None and run.calls and max(len(run.calls), len(run.setup.chunks)) <= shared.DRAWN:
        _flow(view, run)
    if column.problem is not None:
        outcome_view.draw_failure(view, column.problem, 0)
    elif column.trace is not None:
        outcome_view.draw(view, column.trace, reference)
    else:
        small(_plan_summary(column))


def _head(view: ColumnView, column: ColumnData, tags: list[str]) -> None:
    """Label, tags and own settings; narrow columns all keep room for a second line."""
    parts = f"<b>{escape(column.label)}</b>"
    if tags:
        parts += tags_html((tag, "exact") for tag in tags)
    if own_settings := differences(view.column):
        parts += f'<div class="small muted num">{escape(own_settings)}</div>'
    narrow = " tagged" if len(view.comparison.columns) == MOST_COLUMNS else ""
    st.html(f'<div class="side-head{narrow}">{parts}</div>')


def _tags(view: ColumnView, column: ColumnData, ended: bool) -> list[str]:
    """Whether it is the reference, the text it loses, the column that shares its prompts."""
    tags = ["reference"] if ended and view.is_reference else []
    run = column.trace or column.high
    if run is not None and run.calls and (lost := lost_tokens(run)):
        tags.append(f"{counted(lost, 'token')} {'lost' if column.trace else 'never sent'}")
    leader = view.comparison.leader(view.slot)
    if leader != view.slot:
        tags.append(f"same prompts as {leader.column}: run once")
    elif twin := _twin(view):
        tags.append(f"same prompts as {twin}, answers combined differently")
    return tags


def _twin(view: ColumnView) -> str | None:
    """An earlier column with the same prompts and another way to combine the answers."""
    comparison = view.comparison
    for column in comparison.columns:
        if column == view.column:
            return None
        slot = RunSlot(column.name, view.question)
        requests = comparison.request(slot), comparison.request(view.slot)
        if comparison.leader(slot) == slot and send_same_prompts(*requests, comparison.plans):
            return column.name
    return None


def _flow(view: ColumnView, run: Plan | Trace) -> None:
    width = WIDE // len(view.comparison.columns)
    key = (id(run), view.look.dark, width)

    def make() -> tuple[Figure, str, Plan | Trace]:
        alt = flow_alt(run.calls, run.setup, planned=isinstance(run, Plan))
        # The run is kept beside its figure, so that no other run gets its id.
        return small_flow(run, view.look, width), alt, run

    figure, alt, _ = workspace.current().remembered("small flows", key, make)
    chart(figure, f"flow of {view.column.name}", alt)


def small_flow(run: Plan | Trace, look: Look, width: int) -> Figure:
    """The flow of a plan or a run without words; `width` in pixels."""
    return flow_figure(
        run.calls,
        run.setup,
        look,
        width=width,
        height=_FLOW_HEIGHT,
        states=states_of(run),
        planned=isinstance(run, Plan),
        small=True,
    )


def _plan_summary(column: ColumnData) -> str:
    if column.high is None or column.bounds is None:
        return "This mode can be run but not planned."
    if column.high.problem:
        return column.high.problem
    if not column.high.calls:
        return "No calls: there is nothing to ask."
    return f"{ranged(*column.bounds.calls, 'call')}, not run yet."
