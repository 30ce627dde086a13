"""Starting, resuming and stopping the runs of a comparison, and what is still to run."""

from __future__ import annotations

from collections.abc import Sequence

from synth.bounds import Bounds
from synth.wording import at_most, counted, ranged
from ui.compare.columns import LETTERS, store_columns
from ui.compare.comparison import MOST_RUNS, Comparison
from ui.compare.run_slots import RunSlot, SlotRun, drop, slot_runs
from ui.plan.cost import cost_at_most
from ui.run.job import NO_PAST, Job, Past
from ui.run.pool import Lane
from ui.run.runner import COMPARE, job_of
from ui.run.runs import runs as playground
from ui.session import workspace

RUNS_AT_ONCE = 4
"""Runs that go on at the same time; more would only wait for one another at a server."""


def jobs(comparison: Comparison) -> list[Job]:
    """The runs of these columns, each once."""
    runs = slot_runs()
    return list(dict.fromkeys(runs[slot].job for slot in comparison.slots() if slot in runs))


def running(comparison: Comparison) -> bool:
    """Whether any of these runs is still running."""
    return any(job.running for job in jobs(comparison))


def stop(comparison: Comparison) -> None:
    """Send no further call; the answers that have arrived are kept."""
    for job in jobs(comparison):
        job.stop()


def finished(slot: RunSlot, comparison: Comparison) -> bool:
    """Whether a run of the slot's present request has a response."""
    run = slot_runs().get(slot)
    if run is None or run.request != comparison.request(slot) or run.job.running:
        return False
    trace = run.job.trace
    return trace is not None and trace.response is not None


def missing(comparison: Comparison) -> list[RunSlot]:
    """The slots that can be run and whose present request has no response yet."""
    return [
        slot
        for slot in comparison.slots()
        if comparison.can_run(slot) and not finished(slot, comparison)
    ]


def start(comparison: Comparison, slots: list[RunSlot]) -> None:
    """Run these slots, a few at a time; calls that have an answer are not sent again.

    The Playground's run of the same request is taken as it is.
    """
    if all(column.name in LETTERS for column in comparison.columns):
        store_columns(comparison.columns)
    runs = slot_runs()
    _drop_obsolete(comparison)
    taken = _of_playground(slots, comparison)
    for slot, job in taken.items():
        runs[slot] = SlotRun(job.request, job)
    slots = [slot for slot in slots if slot not in taken]
    # None begins before all are made: the page would wait for the processor beside them.
    lane = Lane(workspace.current().id, most=0)
    try:
        for slot in _leaders_to_run(slots, comparison):
            request = comparison.request(slot)
            job = job_of(
                request,
                _past(slot, comparison),
                settings=comparison.settings(slot),
                repeat=slot.repeat,
                lane=lane,
                page=COMPARE,
            )
            runs[slot] = SlotRun(request, job)
    finally:
        lane.open(RUNS_AT_ONCE)
    for slot in slots:
        runs[slot] = SlotRun(comparison.request(slot), runs[comparison.leader(slot)].job)


def _of_playground(slots: Sequence[RunSlot], comparison: Comparison) -> dict[RunSlot, Job]:
    """The slots without a response to which the run on the Playground has it."""
    job = playground().job
    if job is None or job.running or job.edited or job.by_person:
        return {}
    if job.trace is None or job.trace.response is None:
        return {}
    return {
        slot: job
        for slot in slots
        if comparison.request(slot) == job.request
        and not slot.repeat
        and not finished(slot, comparison)
    }


def _leaders_to_run(slots: list[RunSlot], comparison: Comparison) -> list[RunSlot]:
    """The slots whose runs must start so that all these slots are served."""
    leaders = dict.fromkeys(comparison.leader(slot) for slot in slots)
    return [leader for leader in leaders if leader in slots or not finished(leader, comparison)]


def _past(slot: RunSlot, comparison: Comparison) -> Past:
    """The answers of a run that ended early; a finished run starts again from nothing."""
    run = slot_runs().get(slot)
    if run is None or run.request != comparison.request(slot):
        return NO_PAST
    job, trace = run.job, run.job.trace
    if trace is None or trace.response is not None:
        return NO_PAST
    saved = job.run if job.request == run.request else None
    return Past(trace.log(), job.edited, job.spent, saved)


def _drop_obsolete(comparison: Comparison) -> None:
    """Drop these columns' runs of questions and repeats that are no longer asked for."""
    wanted = set(comparison.slots())
    names = {column.name for column in comparison.columns}
    drop(slot for slot in list(slot_runs()) if slot.column in names and slot not in wanted)


def too_many(comparison: Comparison) -> str | None:
    """Why nothing can be run, if questions and repeats make more runs than may start at once."""
    runs = len(comparison.requests) * comparison.repeats
    if runs <= MOST_RUNS:
        return None
    questions = counted(len(comparison.questions), "question")
    repeats = counted(comparison.repeats, "time")
    return (
        f"{questions} in {len(comparison.columns)} columns, {repeats} each, would be {runs:,}"
        f" runs. At most {MOST_RUNS:,} can start together: use fewer questions or repeats."
    )


def still_to_run(comparison: Comparison) -> str:
    """Calls, tokens, cost and longest chain of all runs that are still missing, in one line.

    "" where none is missing; runs that can't be planned are counted, but not in the sums.
    """
    unanswered = missing(comparison)
    taken = _of_playground(unanswered, comparison)
    reused = " The run of the Playground is taken as it is." if taken else ""
    unanswered = [slot for slot in unanswered if comparison.leader(slot) not in taken]
    slots = _leaders_to_run(unanswered, comparison)
    if not slots:
        return reused.lstrip()
    requests = [comparison.request(slot) for slot in slots]
    planned = [
        (request.model, bounds)
        for request in requests
        if (bounds := comparison.plans[request].bounds) is not None
    ]
    head = f"Still to run: {counted(len(slots), 'run')}"
    if len(planned) < len(slots):
        head += f", {len(slots) - len(planned):,} of them not planned"
    total = Bounds.in_turn([bounds for _, bounds in planned])
    if not total.calls.high:
        return f"{head}{'' if len(planned) < len(slots) else ', without a call'}.{reused}"
    chains = [bounds.longest_chain for _, bounds in planned]
    chain = ranged(*(max(ends) for ends in zip(*chains, strict=True)))
    calls, prompt = ranged(*total.calls, "call"), ranged(*total.prompt_tokens)
    output = at_most(total.output_tokens.high, "output token")
    resumed = (
        " Calls that have an answer are not sent again." if _resumes(comparison, slots) else ""
    )
    return (
        f"{head} with {calls}, {prompt} prompt tokens, {output}{cost_at_most(planned)};"
        f" longest chain {chain}.{resumed}{reused}"
    )


def _resumes(comparison: Comparison, slots: Sequence[RunSlot]) -> bool:
    """Whether a run of one of these slots ended early and left answers."""
    runs = slot_runs()
    return any(
        runs[slot].request == comparison.request(slot) and runs[slot].job.answered
        for slot in slots
        if slot in runs
    )
