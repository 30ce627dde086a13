"""The runs of a comparison: started, resumed, stopped, brought back at no cost; what is to run."""

from collections import defaultdict
from collections.abc import Container, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st

from synth.errors import ImportedRunError
from synth.runs.bounds import Bounds
from synth.text.wording import at_most, counted, ranged
from ui.controls.handover import settings_of
from ui.pages.compare import judging
from ui.pages.compare.cells import Cell
from ui.pages.compare.columns import (
    LETTERS,
    Column,
    current_columns,
    may_override,
    show_columns,
    store_columns,
)
from ui.pages.compare.comparison import INPUTS, MOST_RUNS, Comparison, comparison_of
from ui.pages.compare.run_slots import RunSlot, SlotRun, compared_runs, drop, slot_runs
from ui.plans.cost import cost_at_most
from ui.runs.branches import runs as playground
from ui.runs.job import Job
from ui.runs.pool import Lane
from ui.runs.start import COMPARE, answers_kept, job_of, reopened
from ui.session import keys, workspace
from ui.settings import state
from ui.settings.request import Request
from ui.settings.schema import Settings
from ui.store import runs as saved_runs
from ui.store.run_json import Run
from ui.store.store import current_store
from ui.store.tables import RunInfo

_LOOKED_AT = 2_000  # runs, among which those of the cells are looked for

RUNS_AT_ONCE = 4
"""Runs that go on at the same time; more would only wait for one another at a server."""


def jobs(comparison: Comparison, column: str | None = None) -> list[Job]:
    """The runs in the slots of a column or of all, each once: of whatever question they are."""
    runs = slot_runs()
    slots = [slot for slot in comparison.cells if column in (None, slot.column) and slot in runs]
    return list(dict.fromkeys(runs[slot].job for slot in slots))


def running(comparison: Comparison) -> bool:
    """Whether any of these runs is still running, or their answers are being judged."""
    return any(job.running for job in [*jobs(comparison), *compared_runs().judging])


def stop(comparison: Comparison) -> None:
    """Send no further call; the answers that have arrived are kept."""
    for job in [*jobs(comparison), *compared_runs().judging]:
        if not job.elsewhere:
            job.stop()


def missing(comparison: Comparison) -> list[Cell]:
    """The cells that can be run and whose present request has no response yet."""
    return [cell for cell in comparison.cells.values() if cell.can_run and not cell.finished]


def press(comparison: Comparison, cells: Sequence[Cell], reuse: bool = True) -> None:
    """Run these cells, since a button was pressed, and draw the page again."""
    with compared_runs().pressing:
        runs = slot_runs()
        begun = any(cell.slot in runs and runs[cell.slot].job.running for cell in cells)
        if state.may_start(INPUTS) and not begun:
            start(comparison, cells, reuse)
    st.rerun()


def start(comparison: Comparison, cells: Sequence[Cell], reuse: bool = True) -> None:
    """Run these cells, a few at a time; with `reuse`, prompts that have an answer are not sent.

    The Playground's run of the same request is taken as it is.
    """
    store_columns(comparison.columns)
    runs = slot_runs()
    _drop_obsolete(comparison)
    taken = _of_playground(cells)
    runs.update({slot: SlotRun(job.request, job) for slot, job in taken.items()})
    cells = [cell for cell in cells if cell.slot not in taken]
    # None begins before all are made: the page would wait for the processor beside them.
    lane = Lane(workspace.current().id, most=0)
    compared_runs().latest = begun = []
    try:
        for cell in _leaders_to_run(comparison, cells, taken):
            job = job_of(
                cell.present,
                **_past(cell),
                settings=comparison.settings(cell.slot),
                repeat=cell.slot.repeat,
                lane=lane,
                page=COMPARE,
                # One that was to ask everything anew, and ended before it had, still is.
                reuse=reuse and (cell.run is None or cell.finished or cell.run.job.reuses),
                plans=cell.planned,
            )
            runs[cell.slot] = SlotRun(cell.present, job)
            begun.append(job)
    finally:
        lane.open(RUNS_AT_ONCE)
    for cell in cells:
        runs[cell.slot] = SlotRun(cell.present, runs[cell.leader].job)
    judging.begin(comparison, lane)


def _of_playground(cells: Sequence[Cell]) -> dict[RunSlot, Job]:
    """The slots without a response to which the run on the Playground has it."""
    job = playground().job
    if job is None or job.running or job.info.edited or job.info.by_person:
        return {}
    if job.trace is None or job.trace.response is None:
        return {}
    return {
        cell.slot: job
        for cell in cells
        if cell.present == job.request and not cell.slot.repeat and not cell.finished
    }


def _leaders_to_run(
    comparison: Comparison, cells: Sequence[Cell], taken: Container[RunSlot]
) -> list[Cell]:
    """The cells whose runs must start so that all these cells are served."""
    slots = {cell.slot for cell in cells}
    leaders = [comparison.cells[slot] for slot in dict.fromkeys(cell.leader for cell in cells)]
    return [
        leader
        for leader in leaders
        if leader.slot in slots or not (leader.finished or leader.slot in taken)
    ]


def _past(cell: Cell) -> dict[str, Any]:
    """The answers of a run that ended early; a finished run starts again from nothing."""
    if cell.run is None or cell.stale or cell.trace is None or cell.answer is not None:
        return {}
    job = cell.run.job
    if job.request == cell.request:
        return {"info": job.info_now, "earlier": cell.trace}
    info = RunInfo(edited=job.info.edited, unpriced=job.info.unpriced).with_spent(job.spent)
    return {"info": info, "log": cell.trace.log()}


def _drop_obsolete(comparison: Comparison) -> None:
    """Drop these columns' runs of questions and repeats that are no longer asked for."""
    names = {column.name for column in comparison.columns}
    drop(
        slot for slot in list(slot_runs()) if slot.column in names and slot not in comparison.cells
    )


def too_many(comparison: Comparison) -> str | None:
    """Why nothing can be run, if questions and repeats make more runs than can be compared."""
    runs = len(comparison.cells)
    if runs <= MOST_RUNS:
        return None
    questions = counted(len(comparison.asked), "question")
    repeats = counted(comparison.repeats, "time")
    return (
        f"{questions} in {len(comparison.columns)} columns, {repeats} each, would be {runs:,}"
        f" runs. At most {MOST_RUNS:,} can be compared: use fewer columns, questions or repeats."
    )


def to_start(comparison: Comparison) -> list[Cell]:
    """The cells whose runs would start if all that is missing were run."""
    unanswered = missing(comparison)
    taken = _of_playground(unanswered)
    unanswered = [cell for cell in unanswered if cell.leader not in taken]
    return _leaders_to_run(comparison, unanswered, taken)


def still_to_run(comparison: Comparison) -> str:
    """Calls, tokens, cost and longest chain of all runs that are still missing, in one line.

    "" where none is missing; runs that can't be planned are counted, but not in the sums.
    """
    taken = _of_playground(missing(comparison))
    reused = " The run of the Playground is taken as it is." if taken else ""
    cells = to_start(comparison)
    if not cells:
        return reused.lstrip()
    planned = [
        (cell.present.model, bounds)
        for cell in cells
        if (bounds := cell.planned.bounds) is not None
    ]
    head = f"Still to run: {counted(len(cells), 'run')}"
    if len(planned) < len(cells):
        head += f", {len(cells) - len(planned):,} of them not planned"
    total = Bounds.in_turn([bounds for _, bounds in planned])
    if not total.calls.high:
        return f"{head}{'' if len(planned) < len(cells) else ', without a call'}.{reused}"
    chains = [bounds.longest_chain for _, bounds in planned]
    chain = ranged(*(max(ends) for ends in zip(*chains, strict=True)))
    calls, prompt = ranged(*total.calls, "call"), ranged(*total.prompt_tokens)
    output = at_most(total.output_tokens.high, "output token")
    sure = "" if total.calls.exact and total.prompt_tokens.exact else ", whatever the model answers"
    resumed = " Calls that have an answer are not sent again." if _reuses(comparison, cells) else ""
    return (
        f"{head} with {calls}, {prompt} prompt tokens, {output}{cost_at_most(planned)};"
        f" longest chain {chain}{sure}.{resumed}{reused}"
    )


def _reuses(comparison: Comparison, cells: Sequence[Cell]) -> bool:
    """Whether some calls of these runs have an answer: of a run that ended early, or of another.

    Of other runs the first question alone is looked at, since there may be thousands.
    """
    if any(cell.run and not cell.stale and cell.run.job.answered for cell in cells):
        return True
    first = cells[0].slot.question
    return any(
        answers_kept(cell.planned.high, comparison.settings(cell.slot), cell.slot.repeat)
        for cell in cells
        if cell.slot.question == first
    )


def take_handed_over(page: Settings) -> None:
    """Make the runs that the page Runs handed over the columns; `page` are what these override."""
    runs: Sequence[Run] = st.session_state.pop(keys.RUNS_TO_COMPARE, ())
    if not runs:
        return
    show_columns()
    drop([*slot_runs()])
    store_columns(
        [_column_of(page, letter, run.request) for letter, run in zip(LETTERS, runs, strict=False)]
    )
    columns = current_columns(page)
    comparison = comparison_of(page, columns)
    for column, run in zip(columns, runs, strict=True):
        slot = RunSlot(column.name)
        request = _as_now(run.request, comparison.cells[slot].present)
        slot_runs()[slot] = SlotRun(request, reopened(replace(run, request=request)))


def bring_back(comparison: Comparison) -> bool:
    """Put the latest saved runs of its requests into their slots, once; whether there are any.

    A server that was started anew has them in its database alone, and they may have cost much.
    StoreError if that can't be read.
    """
    held, runs = compared_runs(), slot_runs()
    if held.looked or runs:
        return False
    with st.spinner("Reading the runs that are saved"):
        for slot, id in _saved_ids(comparison).items():
            with suppress(ImportedRunError):  # who opens it on Runs reads what is damaged
                run = saved_runs.load_run(current_store(), workspace.current().id, id)
                if run is not None:
                    request = comparison.cells[slot].present
                    runs[slot] = SlotRun(request, reopened(replace(run, request=request)))
    for slot, cell in comparison.cells.items():
        if slot not in runs and cell.leader in runs:
            runs[slot] = SlotRun(cell.present, runs[cell.leader].job)
    held.looked = True
    return bool(runs)


def _saved_ids(comparison: Comparison) -> dict[RunSlot, str]:
    """The latest saved run of the request of each slot; of its repeats, the last is the latest."""
    store = current_store()
    ids = saved_runs.find_latest(store, workspace.current().id, COMPARE, _LOOKED_AT)
    saved = saved_runs.load_requests(store, ids)
    latest_first: dict[Request, list[str]] = defaultdict(list)
    for id in filter(saved.__contains__, ids):
        latest_first[saved[id]].append(id)
    found = {}
    for slot, cell in comparison.cells.items():
        in_turn = latest_first[saved_runs.with_digest(cell.present)][: comparison.repeats][::-1]
        if slot.repeat < len(in_turn):
            found[slot] = in_turn[slot.repeat]
    return found


def _column_of(page: Settings, letter: str, request: Request) -> Column:
    """The column that overrides what this run had other than the Playground has now."""
    settings = settings_of(request) | request.model.settings
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
