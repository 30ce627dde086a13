"""The runs of files that were dropped, and each of them beside the one that synth computes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from synth.errors import SynthError
from synth.lazy import defer
from synth.modes.registry import MODES
from synth.runs.trace import Trace
from synth.traces import Difference, Fit, ImportedRun, Verification, fits, read, trace_of
from synth.traces.containers import unpack
from ui.imported.as_request import request_of, why_not_held
from ui.session import workspace
from ui.session.workspace import Holding
from ui.settings.request import Request

_SHORT_SEARCH = 30_000  # characters of the chunks, with which it takes about 3 seconds


@dataclass(frozen=True)
class OpenedRun:
    """A recorded run under the settings that are tried now, and what follows from them.

    It is of a file or an application with the name `source`. All prompts are equal with `changes`.
    """

    run: ImportedRun
    source: str = ""
    changes: tuple[str, ...] = ()

    @defer
    def verification(self) -> Verification | None:
        """Whether synth sends the recorded prompts; None for a mode that is not known here."""
        if self.run.mode not in MODES:
            return None
        try:
            return self.run.verify()
        except SynthError as problem:
            return Verification(0, problem=str(problem))

    @property
    def verified(self) -> bool:
        """Whether synth sends the recorded prompts."""
        return self.verification is not None and self.verification.equal

    @property
    def difference(self) -> Difference | None:
        """The first call that synth makes otherwise."""
        return None if self.verification is None else self.verification.first_difference

    @defer
    def trace(self) -> Trace:
        """The recorded calls, whose prompts know their chunks where the run is verified."""
        return trace_of(self.run) if self.verified else self.run.trace()

    @defer
    def why_not_held(self) -> str | None:
        """Why the pages can't hold the run though it is verified; None if they can."""
        return why_not_held(self.run) if self.verified else None

    @defer
    def why_not_opened(self) -> str | None:
        """Why the run can't be opened on other pages; None if it can."""
        if self.run.mode not in MODES:
            return "Only runs of a known mode open on the other pages."
        if not self.run.calls:
            return "A run without calls has nothing to open."
        if not self.verified:
            return "The other pages wait until all prompts are equal: they would show other calls."
        return self.why_not_held

    @defer
    def search(self) -> Sequence[Fit] | str:
        """Settings under which all prompts are equal, or why not all were tried."""
        try:
            return fits(self.run)
        except SynthError as problem:
            return str(problem)

    @property
    def searches_at_once(self) -> bool:
        """Whether the search for such settings takes seconds at most, or was made before."""
        return "search" in vars(self) or sum(map(len, self.run.texts)) <= _SHORT_SEARCH

    @defer
    def request(self) -> Request | None:
        """The run as a request; None where it can't be opened on other pages."""
        return request_of(self.run) if self.why_not_opened is None else None


@dataclass
class OpenedFile(Holding):
    """The runs of the dropped files, the one whose recording is shown, and the latest problem.

    Runs at the positions `hidden` were deleted from the list.
    """

    runs: list[OpenedRun] = field(default_factory=list)
    hidden: set[int] = field(default_factory=set)
    opened: OpenedRun | None = None
    problem: str | None = None

    @property
    def comes_back(self) -> bool:
        """Whether no file is open: it is not saved."""
        return not self.runs

    def read(self, name: str, data: bytes | str) -> None:
        """Add the runs of a file that are not there yet; what can't be read is a problem."""
        try:
            runs = read(unpack(data) if isinstance(data, bytes) else data)
        except SynthError as problem:
            self.problem = str(problem)
            return
        self.problem = None
        places = {known.run.identity: at for at, known in enumerate(self.runs)}
        for run in runs:
            if run.identity and run.identity in places:
                self.hidden.discard(places[run.identity])
            else:
                self.runs.append(OpenedRun(run, name))

    def replace(self, run: OpenedRun) -> None:
        """Show the open recording under other settings."""
        self.runs = [run if each is self.opened else each for each in self.runs]
        self.opened = run

    def close(self) -> None:
        """Close the recording; its file stays in the list."""
        self.opened = None


def opened_file() -> OpenedFile:
    """Return the dropped files of this tab's workspace."""
    return workspace.current().holding(OpenedFile)
