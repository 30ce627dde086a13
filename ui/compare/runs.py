"""Starting, resuming and stopping the runs of a comparison."""

from __future__ import annotations

import threading

from ui.compare import columns
from ui.compare.lineup import MOST_RUNS, Lineup
from ui.compare.run_slots import RunSlot, SlotRun, drop, slot_runs
from ui.run.job import NO_PAST, Job, Past
from ui.run.runner import job_of

SIDE_BY_SIDE = 4
"""Runs that go on at once; more would only wait for one another at a server."""


def jobs(lineup: Lineup) -> list[Job]:
    """The runs of these columns, each once."""
    compared = slot_runs()
    found = (compared[slot].job for slot in lineup.slots() if slot in compared)
    return list(dict.fromkeys(found))


def running(lineup: Lineup) -> bool:
    """Whether any of them goes on."""
    return any(job.running for job in jobs(lineup))


def stop(lineup: Lineup) -> None:
    """Send no further call; what arrived is kept."""
    for job in jobs(lineup):
        job.stop()


def complete(slot: RunSlot, lineup: Lineup) -> bool:
    """Whether a run came to its end here, of what is asked now."""
    compared = slot_runs().get(slot)
    if compared is None or compared.request != lineup.request(slot) or compared.job.running:
        return False
    trace = compared.job.trace
    return trace is not None and trace.response is not None


def missing(lineup: Lineup) -> list[RunSlot]:
    """The slots that can be run and where no run of what is asked now came to its end."""
    return [
        slot for slot in lineup.slots() if not lineup.refused(slot) and not complete(slot, lineup)
    ]


def asking(slots: list[RunSlot], lineup: Lineup) -> list[RunSlot]:
    """The slots whose runs have to begin so that these have theirs."""
    leaders = dict.fromkeys(lineup.leader(slot) for slot in slots)
    return [one for one in leaders if one in slots or not complete(one, lineup)]


def too_many(lineup: Lineup) -> bool:
    """Whether the questions and repeats make more runs than go out at once."""
    return len(lineup.requests) * lineup.repeats > MOST_RUNS


def start(lineup: Lineup, slots: list[RunSlot]) -> None:
    """Run these slots, a few at once; answers that are there already are not asked again."""
    if all(column.name in columns.LETTERS for column in lineup.columns):
        columns.keep(lineup.columns)
    compared = slot_runs()
    _forget_others(lineup)
    at_once = threading.Semaphore(SIDE_BY_SIDE)
    for slot in asking(slots, lineup):
        request = lineup.request(slot)
        job = job_of(
            request,
            _past(slot, lineup),
            settings=lineup.settings(slot),
            repeat=slot.repeat,
            at_once=at_once,
        )
        compared[slot] = SlotRun(request, job)
    for slot in slots:
        compared[slot] = SlotRun(lineup.request(slot), compared[lineup.leader(slot)].job)


def _past(slot: RunSlot, lineup: Lineup) -> Past:
    """The answers of a run that ended early; one that came to its end is run anew."""
    compared = slot_runs().get(slot)
    if compared is None or compared.request != lineup.request(slot):
        return NO_PAST
    job, trace = compared.job, compared.job.trace
    if trace is None or trace.response is not None:
        return NO_PAST
    return Past(trace.log(), job.edited, job.spent)


def _forget_others(lineup: Lineup) -> None:
    """Drop the runs of questions and repeats that these columns have no more."""
    compared, there = slot_runs(), set(lineup.slots())
    names = {column.name for column in lineup.columns}
    drop(one for one in list(compared) if one.column in names and one not in there)
