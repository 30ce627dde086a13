"""Saved runs in columns, at no cost: those that Runs hands over, and those of before a restart."""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from synth.errors import ImportedRunError
from ui.controls.handover import settings_of, settings_of_model
from ui.history import history
from ui.history.saved_run import SavedRun, latest_ids, load, requests_of, with_digest
from ui.pages.compare.columns import (
    LETTERS,
    Column,
    current_columns,
    may_override,
    store_columns,
)
from ui.pages.compare.comparison import Comparison, comparison_of
from ui.pages.compare.head import show_columns
from ui.pages.compare.run_slots import RunSlot, SlotRun, compared_runs, drop, slot_runs
from ui.runs import start
from ui.session import keys, workspace
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


_LOOKED_AT = 2_000  # runs, among which those of the cells are looked for


def bring_back(comparison: Comparison) -> bool:
    """Put the latest saved runs of its requests into their slots, once; whether there are any.

    A server that was started anew has them in its database alone, and they may have cost much.
    HistoryError if that can't be read.
    """
    held, runs = compared_runs(), slot_runs()
    if held.looked or runs:
        return False
    with st.spinner("Reading the runs that are saved"):
        for slot, id in _saved_ids(comparison).items():
            with suppress(ImportedRunError):  # who opens it on Runs reads what is damaged
                if run := load(history.history(), workspace.current().id, id):
                    request = comparison.cells[slot].present
                    runs[slot] = SlotRun(request, start.reopened(replace(run, request=request)))
    for slot, cell in comparison.cells.items():
        if slot not in runs and cell.leader in runs:
            runs[slot] = SlotRun(cell.present, runs[cell.leader].job)
    held.looked = True
    return bool(runs)


def _saved_ids(comparison: Comparison) -> dict[RunSlot, str]:
    """The latest saved run of the request of each slot; of its repeats, the last is the latest."""
    opened = history.history()
    ids = latest_ids(opened, workspace.current().id, start.COMPARE, _LOOKED_AT)
    saved = requests_of(opened, ids)
    latest_first: dict[Request, list[str]] = defaultdict(list)
    for id in filter(saved.__contains__, ids):
        latest_first[saved[id]].append(id)
    found = {}
    for slot, cell in comparison.cells.items():
        in_turn = latest_first[with_digest(cell.present)][: comparison.repeats][::-1]
        if slot.repeat < len(in_turn):
            found[slot] = in_turn[slot.repeat]
    return found


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
