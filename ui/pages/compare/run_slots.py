"""The runs of a comparison, each by what it asks; the settings of today find theirs among them."""

import threading
from dataclasses import dataclass, field
from typing import NamedTuple

from ui.runs.job import Job
from ui.session import workspace
from ui.session.workspace import Holding
from ui.settings.request import Request

MOST_RUNS = 4_000
"""The most runs of a comparison, whose calls stay in memory: the largest set in four columns."""
MOST_REPEATS = 10
"""How often each column is asked each question at most."""


class RunSlot(NamedTuple):
    """The position of a run: its column, the number of its question and of its repeat."""

    column: str
    question: int = 0
    repeat: int = 0


class AskedRun(NamedTuple):
    """What a run asks, and which time it asks that."""

    request: Request
    repeat: int = 0


@dataclass
class ComparedRuns(Holding):
    """The runs of a comparison: whoever goes back to older settings finds theirs again.

    Equal requests share a run. `looked` says whether saved ones were looked for; `judging` is the
    run that asks about answers. `pressing` is held while a press in one tab begins runs.
    """

    jobs: dict[AskedRun, Job] = field(default_factory=dict)
    looked: bool = False
    judging: list[Job] = field(default_factory=list)
    pressing: threading.RLock = field(default_factory=threading.RLock)

    @property
    def every(self) -> list[Job]:
        """All runs, those that judge too, each once."""
        return list(dict.fromkeys([*self.judging, *self.jobs.copy().values()]))

    @property
    def running(self) -> list[Job]:
        """Those that go on."""
        return [job for job in self.every if job.running]

    @property
    def busy(self) -> bool:
        """Whether any of them is still running, or is not saved yet."""
        return any(job.busy for job in self.every)

    @property
    def comes_back(self) -> bool:
        """Whether there are none: saved runs of other settings than the present don't come back."""
        return not self.jobs

    def stop(self) -> None:
        """Stop all that go on; the answers that have arrived are kept."""
        for job in self.running:
            if not job.elsewhere:
                job.stop()


def compared_runs() -> ComparedRuns:
    """Return the runs of this tab's comparison."""
    return workspace.current().holding(ComparedRuns)
