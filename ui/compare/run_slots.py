"""The runs of a comparison, each in the slot of its column, question and repeat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ui.request.request import Request
from ui.run.job import Job
from ui.session import workspace
from ui.session.workspace import Holding


class RunSlot(NamedTuple):
    """Where a run stands: its column, which of the questions, which repeat of it."""

    column: str
    question: int = 0
    repeat: int = 0


class SlotRun(NamedTuple):
    """The run in a slot, and what its column asked for: other columns may share the run."""

    request: Request
    job: Job


@dataclass
class ComparedRuns(Holding):
    """The runs of a comparison by their slot."""

    by_slot: dict[RunSlot, SlotRun] = field(default_factory=dict)

    @property
    def running(self) -> bool:
        """Whether any of them goes on."""
        return any(run.job.running for run in self.by_slot.copy().values())


def slot_runs() -> dict[RunSlot, SlotRun]:
    """The runs of this tab's comparison."""
    return workspace.current().holding(ComparedRuns).by_slot


def give_runs(giver: str, taker: str) -> None:
    """Let a column show the runs of another one; what asks the same need not be asked again."""
    runs = slot_runs()
    drop([slot for slot in runs if slot.column == taker])
    for slot in [slot for slot in runs if slot.column == giver]:
        runs[slot._replace(column=taker)] = runs[slot]


def drop(slots: Iterable[RunSlot]) -> None:
    """Forget the runs in these slots, and stop those that no other slot shares."""
    runs = slot_runs()
    dropped = [runs.pop(slot).job for slot in list(slots)]
    kept = {run.job for run in runs.values()}
    for job in dropped:
        if job not in kept:
            job.stop()
