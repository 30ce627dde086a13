"""Starting, resuming and stopping the runs of a comparison, and what is still to run."""

from collections.abc import Container, Sequence

from synth.runs.bounds import Bounds
from synth.text.wording import at_most, counted, ranged
from ui.pages.compare.cells import Cell
from ui.pages.compare.columns import LETTERS, store_columns
from ui.pages.compare.comparison import MOST_RUNS, Comparison
from ui.pages.compare.run_slots import RunSlot, SlotRun, compared_runs, drop, slot_runs
from ui.plans.cost import cost_at_most
from ui.runs import allowance
from ui.runs.branches import runs as playground
from ui.runs.job import NO_PAST, Job, Past
from ui.runs.pool import Lane
from ui.runs.start import COMPARE, job_of

RUNS_AT_ONCE = 4
"""Runs that go on at the same time; more would only wait for one another at a server."""


def jobs(comparison: Comparison, column: str | None = None) -> list[Job]:
    """The runs in the slots of a column or of all, each once: of whatever question they are."""
    runs = slot_runs()
    slots = [slot for slot in comparison.cells if column in (None, slot.column) and slot in runs]
    return list(dict.fromkeys(runs[slot].job for slot in slots))


def running(comparison: Comparison) -> bool:
    """Whether any of these runs is still running."""
    return any(job.running for job in jobs(comparison))


def stop(comparison: Comparison) -> None:
    """Send no further call; the answers that have arrived are kept."""
    for job in jobs(comparison):
        job.stop()


def missing(comparison: Comparison) -> list[Cell]:
    """The cells that can be run and whose present request has no response yet."""
    return [cell for cell in comparison.cells.values() if cell.can_run and not cell.finished]


def start(comparison: Comparison, cells: Sequence[Cell], reuse: bool = True) -> None:
    """Run these cells, a few at a time; with `reuse`, prompts that have an answer are not sent.

    The Playground's run of the same request is taken as it is.
    """
    if all(column.name in LETTERS for column in comparison.columns):
        store_columns(comparison.columns)
    runs = slot_runs()
    _drop_obsolete(comparison)
    taken = _of_playground(cells)
    runs.update({slot: SlotRun(job.request, job) for slot, job in taken.items()})
    cells = [cell for cell in cells if cell.slot not in taken]
    # None begins before all are made: the page would wait for the processor beside them.
    lane = Lane(allowance.owner(), most=0)
    compared_runs().latest = begun = []
    try:
        for cell in _leaders_to_run(comparison, cells, taken):
            job = job_of(
                cell.present,
                _past(cell),
                settings=comparison.settings(cell.slot),
                repeat=cell.slot.repeat,
                lane=lane,
                page=COMPARE,
                reuse=reuse and not _asked_anew(cell),
                plans=cell.planned,
            )
            runs[cell.slot] = SlotRun(cell.present, job)
            begun.append(job)
    finally:
        lane.open(RUNS_AT_ONCE)
    for cell in cells:
        runs[cell.slot] = SlotRun(cell.present, runs[cell.leader].job)


def _of_playground(cells: Sequence[Cell]) -> dict[RunSlot, Job]:
    """The slots without a response to which the run on the Playground has it."""
    job = playground().job
    if job is None or job.running or job.edited or job.by_person:
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


def _past(cell: Cell) -> Past:
    """The answers of a run that ended early; a finished run starts again from nothing."""
    if cell.run is None or cell.stale or cell.trace is None or cell.answer is not None:
        return NO_PAST
    job = cell.run.job
    past = Past(cell.trace.log(), job.edited, job.spent)
    goes_on = job.request == cell.request
    return past._replace(run=job.run, trace=cell.trace) if goes_on else past


def _asked_anew(cell: Cell) -> bool:
    """Whether its run was to ask everything anew, and ended before it had."""
    return cell.run is not None and not cell.finished and not cell.run.job.reuses


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
    # Where a run ended early and left answers.
    resumes = any(cell.run and not cell.stale and cell.run.job.answered for cell in cells)
    resumed = " Calls that have an answer are not sent again." if resumes else ""
    return (
        f"{head} with {calls}, {prompt} prompt tokens, {output}{cost_at_most(planned)};"
        f" longest chain {chain}{sure}.{resumed}{reused}"
    )
