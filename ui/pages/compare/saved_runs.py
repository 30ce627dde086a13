"""Saved runs as columns: each has the settings of its run, and its answers, at no cost."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from ui.controls.handover import settings_of, settings_of_model
from ui.history.saved_run import SavedRun
from ui.pages.compare.columns import (
    LETTERS,
    Column,
    current_columns,
    may_override,
    store_columns,
)
from ui.pages.compare.comparison import comparison_of
from ui.pages.compare.head import show_columns
from ui.pages.compare.run_slots import RunSlot, SlotRun, drop, slot_runs
from ui.runs import start
from ui.session import keys
from ui.settings import state
from ui.settings.request import Request


def take() -> None:
    """Make the runs that the page Runs handed over the columns."""
    runs: Sequence[SavedRun] = st.session_state.pop(keys.RUNS_TO_COMPARE, ())
    if not runs:
        return
    show_columns()
    drop([slot for slot in slot_runs() if slot.column in LETTERS])
    store_columns(
        [_column(letter, run.request) for letter, run in zip(LETTERS, runs, strict=False)]
    )
    columns = current_columns()
    comparison = comparison_of(columns)
    for column, run in zip(columns, runs, strict=True):
        slot = RunSlot(column.name)
        request = _as_now(run.request, comparison.cells[slot].present)
        slot_runs()[slot] = SlotRun(request, start.reopened(replace(run, request=request)))


def _column(letter: str, request: Request) -> Column:
    """The column that overrides what this run had other than the Playground has now."""
    settings = settings_of(request) | settings_of_model(request.model)
    page = state.current()
    overrides = {"mode": request.mode} | {
        name: value
        for name, value in settings.items()
        if may_override(name) and value != page.value(name)
    }
    return Column(letter, tuple(overrides.items()))


def _as_now(request: Request, now: Request) -> Request:
    """The request of a run, but for what no column sets: the price of that day, for example."""
    model = replace(request.model, price=now.model.price)
    return replace(request, positions=now.positions, scores=now.scores, model=model)
