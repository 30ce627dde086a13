"""The runs of the Playground: the latest, and the branches that were made from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ui.run.job import Job
from ui.session import workspace
from ui.session.workspace import Holding


@dataclass
class Runs(Holding):
    """The run and its branches, in the order they were made; `shown` is the place of one."""

    jobs: list[Job] = field(default_factory=list)
    shown: int = 0

    @property
    def job(self) -> Job | None:
        """The run that is shown."""
        return self.jobs[self.shown] if self.jobs else None

    @property
    def running(self) -> bool:
        """Whether any of them goes on."""
        return any(job.running for job in self.jobs)

    def begin(self, job: Job) -> None:
        """Show a new run; the one before and its branches go."""
        self.jobs, self.shown = [job], 0

    def branch(self, job: Job) -> None:
        """Show a branch, beside the runs that are there."""
        self.jobs, self.shown = [*self.jobs, job], len(self.jobs)

    def resume(self, job: Job) -> None:
        """Show a run that goes on where the one shown ended, in its place."""
        self.jobs[self.shown] = job


def runs() -> Runs:
    """The runs of this tab's workspace."""
    return workspace.current().holding(Runs)
