"""One column: its name with a tag, its flow, its measures, and why it has no answer."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.pictures.flow import flow_picture
from synth.pictures.shapes import WIDE, Picture, Shown, shown
from synth.trace import Plan, Trace
from synth.walk import states_of
from synth.wording import percent
from ui.compare import outcome_view
from ui.compare.analysis.column_data import ColumnData
from ui.compare.analysis.measures import MeasureRow
from ui.compare.columns import MOST_COLUMNS, differences
from ui.compare.comparison import ColumnView
from ui.compare.measure_bars import measures_html
from ui.compare.run_slots import RunSlot, send_same_prompts
from ui.look.elements import box, small
from ui.look.escape import escape, tags_html
from ui.look.picture_element import draw_picture
from ui.session import workspace
from ui.text.cut_off import chunk_tokens, cut_off_tokens
from ui.trace.measure_words import flag_words
from ui.views import shared

_FLOW_HEIGHT = 132  # pixels


def draw(view: ColumnView, column: ColumnData, rows: Sequence[MeasureRow], best: bool) -> None:
    """The column with its part of the measures; `best`: the adviser would take it."""
    _head(view, _tags(view, column, best))
    if column.refused is not None and column.trace is None:
        box("This can't run.", column.refused)
        return
    run = column.trace if column.trace and column.trace.calls else column.high
    if run is not None and run.calls and max(len(run.calls), len(run.setup.chunks)) <= shared.DRAWN:
        _flow(view, run)
    position = view.comparison.columns.index(view.column)
    st.html(measures_html(rows, position))
    if column.problem is not None:
        outcome_view.draw_failure(view, column.problem, 0)
    elif column.trace is not None and column.trace.response is None:
        outcome_view.draw_unfinished(view, column.trace)
    elif column.trace is None and column.high is None:
        small("This mode can be run but not planned.")
    elif column.trace is None and column.high is not None and column.high.problem:
        small(column.high.problem)


def _head(view: ColumnView, tags: list[str]) -> None:
    """Name, tags and own settings; narrow columns all keep room for a second line."""
    parts = f"<b>{escape(view.name)}</b>"
    if tags:
        parts += tags_html((tag, "exact") for tag in tags)
    if own_settings := differences(view.column):
        parts += f'<div class="small muted num">{escape(own_settings)}</div>'
    narrow = " tagged" if len(view.comparison.columns) == MOST_COLUMNS else ""
    st.html(f'<div class="side-head{narrow}">{parts}</div>')


def _tags(view: ColumnView, column: ColumnData, best: bool) -> list[str]:
    """Whether to take it, the text it cuts off, its answer's flags, who sends the same prompts."""
    run = column.trace or column.high
    lost = cut_off_tokens(run) if run is not None and run.calls else 0
    tags = ["advised"] if best else []
    if run is not None and lost:
        tags.append(f"{percent(lost, chunk_tokens(run))} cut off")
    if column.measures is not None:
        tags += flag_words(column.measures)
    leader = view.comparison.leader(view.slot)
    if leader != view.slot:
        tags.append(f"same prompts as {view.names[leader.column]}: run once")
    elif twin := _twin(view):
        tags.append(f"same prompts as {view.names[twin]}, answers combined differently")
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
    width = WIDE[0] // len(view.comparison.columns)
    key = (id(run), width)

    def make() -> tuple[Shown, Plan | Trace]:
        # The run is kept beside its picture, so that no other run gets its id.
        return shown([small_flow(run, width)]), run

    drawn, _ = workspace.current().remembered("small flows", key, make)
    draw_picture(drawn, f"flow of {view.column.name}")


def small_flow(run: Plan | Trace, width: int) -> Picture:
    """The flow of a plan or a run without words; `width` in pixels."""
    return flow_picture(
        run.calls,
        run.setup,
        width,
        height=_FLOW_HEIGHT,
        states=states_of(run),
        planned=isinstance(run, Plan),
        small=True,
    )
