"""The runs of a comparison by column, question and repeat."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ui.runs.job import Job
from ui.session import workspace
from ui.session.workspace import Holding
from ui.settings.request import Request


class RunSlot(NamedTuple):
    """The position of a run: its column, the number of its question and of its repeat."""

    column: str
    question: int = 0
    repeat: int = 0


class SlotRun(NamedTuple):
    """The run in a slot, and the request of its column: other columns may share the run."""

    request: Request
    job: Job


@dataclass
class ComparedRuns(Holding):
    """The runs of a comparison by their slot, and those that the latest press began.

    `looked` says whether saved ones were looked for; `judging` is the run that asks about answers.
    `pressing` is held while a press in one tab begins runs.
    """

    by_slot: dict[RunSlot, SlotRun] = field(default_factory=dict)
    latest: list[Job] = field(default_factory=list)
    looked: bool = False
    judging: list[Job] = field(default_factory=list)
    pressing: threading.RLock = field(default_factory=threading.RLock)

    @property
    def busy(self) -> bool:
        """Whether any of them is still running, or is not saved yet."""
        jobs = [*self.judging, *(run.job for run in self.by_slot.copy().values())]
        return any(job.running or job.unsaved for job in jobs)

    @property
    def comes_back(self) -> bool:
        """Whether there are none: saved runs of other settings than the present don't come back."""
        return not self.by_slot

    def stop(self) -> None:
        """Stop all that go on."""
        for job in [*self.judging, *(run.job for run in self.by_slot.copy().values())]:
            job.stop()


def compared_runs() -> ComparedRuns:
    """The runs of this tab's comparison."""
    return workspace.current().holding(ComparedRuns)


def slot_runs() -> dict[RunSlot, SlotRun]:
    """The same by their slot."""
    return compared_runs().by_slot


def copy_runs(source: str, target: str) -> None:
    """Let a column show the runs of another column with the same settings."""
    runs = slot_runs()
    drop([slot for slot in runs if slot.column == target])
    for slot in [slot for slot in runs if slot.column == source]:
        runs[slot._replace(column=target)] = runs[slot]


def drop(slots: Iterable[RunSlot]) -> None:
    """Forget the runs in these slots, and stop those that no other slot shares."""
    runs = slot_runs()
    dropped = [runs.pop(slot).job for slot in list(slots)]
    shared = {run.job for run in runs.values()}
    for job in dropped:
        if job not in shared:
            job.stop()
