"""The runs of the Playground: the latest run and its branches."""

from dataclasses import dataclass, field

from ui.runs.job import Job
from ui.session import workspace
from ui.session.workspace import Holding


@dataclass
class Runs(Holding):
    """The run and its branches in the order of their start.

    `position` is that of the run that is shown, counted from 0.
    """

    jobs: list[Job] = field(default_factory=list)
    position: int = 0

    @property
    def job(self) -> Job | None:
        """The run that is shown."""
        return self.jobs[self.position] if self.jobs else None

    @property
    def busy(self) -> bool:
        """Whether one of the runs goes on, or is not saved yet."""
        return any(job.running or job.unsaved for job in self.jobs)

    @property
    def comes_back(self) -> bool:
        """Whether there is one run at most, and it is saved: the latest run comes back."""
        return all(job.saved for job in self.jobs) and len(self.jobs) <= 1

    def stop(self) -> None:
        """Stop all that go on."""
        for job in self.jobs:
            job.stop()

    def begin(self, job: Job) -> None:
        """Show a new run; the run before and its branches are forgotten."""
        self.jobs, self.position = [job], 0

    def branch(self, job: Job) -> None:
        """Add a branch, and show it."""
        self.jobs, self.position = [*self.jobs, job], len(self.jobs)

    def resume(self, job: Job) -> None:
        """Replace the run that is shown by the one that resumes it."""
        self.jobs[self.position] = job


def runs() -> Runs:
    """The runs of this tab's workspace."""
    return workspace.current().holding(Runs)
