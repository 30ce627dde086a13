"""The runs of the Playground: the latest run and its branches."""

import threading
from dataclasses import dataclass, field

from ui.runs.job import Job
from ui.session import workspace
from ui.session.workspace import Holding


@dataclass
class Runs(Holding):
    """The run and its branches, and the `position` of the one that is shown.

    `left` are earlier runs that may still go on. `pressing` is held while a press begins a run.
    """

    jobs: list[Job] = field(default_factory=list)
    position: int = 0
    left: list[Job] = field(default_factory=list)
    pressing: threading.RLock = field(default_factory=threading.RLock)

    @property
    def job(self) -> Job | None:
        """The run that is shown."""
        return self.jobs[self.position] if self.jobs else None

    @property
    def busy(self) -> bool:
        """Whether one of the runs goes on, or is not saved yet."""
        return any(job.busy for job in (*self.jobs, *self.left))

    @property
    def comes_back(self) -> bool:
        """Whether there is one run at most, and it is saved: the latest run comes back."""
        return all(job.saved for job in (*self.jobs, *self.left)) and len(self.jobs) <= 1

    def stop(self) -> None:
        """Stop all that go on."""
        for job in (*self.jobs, *self.left):
            job.stop()

    def begin(self, job: Job) -> None:
        """Show a new run; earlier ones are forgotten once ended, and no person answers them."""
        for earlier in self.jobs:
            if earlier.person is not None:
                earlier.stop()
        self.left = [one for one in (*self.left, *self.jobs) if one.running or one.unsaved]
        self.jobs, self.position = [job], 0

    def find(self, run: str) -> Job | None:
        """Return the run of this id if it is in memory, whether it is shown or not."""
        return next((job for job in (*self.jobs, *self.left) if job.run == run), None)

    def branch(self, job: Job) -> None:
        """Add a branch, and show it."""
        self.jobs, self.position = [*self.jobs, job], len(self.jobs)

    def resume(self, job: Job) -> None:
        """Replace the run that is shown by the one that resumes it."""
        self.jobs[self.position] = job


def runs() -> Runs:
    """Return the runs of this tab's workspace."""
    return workspace.current().holding(Runs)
