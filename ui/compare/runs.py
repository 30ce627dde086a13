"""Starting, resuming and stopping the runs of a comparison."""

from __future__ import annotations

import threading

from ui.compare import columns
from ui.compare.lineup import MOST_RUNS, Lineup
from ui.run.job import NO_PAST, Job, Past
from ui.run.runner import job_of
from ui.session import workspace
from ui.session.workspace import Compared, Place

SIDE_BY_SIDE = 4
"""Runs that go on at once; more would only wait for one another at a server."""


def jobs(lineup: Lineup) -> list[Job]:
    """The runs of these columns, each once."""
    compared = workspace.current().compared
    found = (compared[place].job for place in lineup.places() if place in compared)
    return list(dict.fromkeys(found))


def running(lineup: Lineup) -> bool:
    """Whether any of them goes on."""
    return any(job.running for job in jobs(lineup))


def stop(lineup: Lineup) -> None:
    """Send no further call; what arrived is kept."""
    for job in jobs(lineup):
        job.stop()


def complete(place: Place, lineup: Lineup) -> bool:
    """Whether a run came to its end here, of what is asked now."""
    compared = workspace.current().compared.get(place)
    if compared is None or compared.request != lineup.request(place) or compared.job.running:
        return False
    trace = compared.job.trace
    return trace is not None and trace.response is not None


def missing(lineup: Lineup) -> list[Place]:
    """The places that can be run and where no run of what is asked now came to its end."""
    return [
        place
        for place in lineup.places()
        if not lineup.refused(place) and not complete(place, lineup)
    ]


def asking(places: list[Place], lineup: Lineup) -> list[Place]:
    """The places whose runs have to begin so that these have theirs."""
    leaders = dict.fromkeys(lineup.leader(place) for place in places)
    return [one for one in leaders if one in places or not complete(one, lineup)]


def too_many(lineup: Lineup) -> bool:
    """Whether the questions and repeats make more runs than go out at once."""
    return len(lineup.requests) * lineup.repeats > MOST_RUNS


def start(lineup: Lineup, places: list[Place]) -> None:
    """Run these places, a few at once; answers that are there already are not asked again."""
    if all(column.name in columns.LETTERS for column in lineup.columns):
        columns.keep(lineup.columns)
    compared = workspace.current().compared
    _forget_others(lineup)
    slots = threading.Semaphore(SIDE_BY_SIDE)
    for place in asking(places, lineup):
        request = lineup.request(place)
        job = job_of(
            request,
            _past(place, lineup),
            get=lineup.settings(place),
            repeat=place.repeat,
            slots=slots,
        )
        compared[place] = Compared(request, job)
    for place in places:
        compared[place] = Compared(lineup.request(place), compared[lineup.leader(place)].job)


def _past(place: Place, lineup: Lineup) -> Past:
    """The answers of a run that ended early; one that came to its end is run anew."""
    compared = workspace.current().compared.get(place)
    if compared is None or compared.request != lineup.request(place):
        return NO_PAST
    job, trace = compared.job, compared.job.trace
    if trace is None or trace.response is not None:
        return NO_PAST
    return Past(trace.log(), job.edited, job.spent)


def _forget_others(lineup: Lineup) -> None:
    """Drop the runs of questions and repeats that these columns have no more."""
    compared, there = workspace.current().compared, set(lineup.places())
    names = {column.name for column in lineup.columns}
    columns.drop(one for one in list(compared) if one.column in names and one not in there)
