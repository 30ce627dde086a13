"""The file that is open on the page: its runs, and what is known of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from synth.errors import SynthError
from synth.imports import Fit, ImportedRun, Verification, fits, read
from synth.response_synthesizers.registry import MODES
from synth.trace import Trace
from ui.imports.as_request import request_of, trace_of, why_not_held
from ui.request.request import Request
from ui.session import workspace
from ui.session.workspace import Holding

_SHORT_SEARCH = 30_000  # characters of the chunks, with which it takes about 3 seconds
_serials = count(1)


@dataclass(frozen=True)
class OpenedRun:
    """A run of the file under the settings that are tried now, and what follows from them.

    `changes` are the settings that were taken since they make all prompts equal. Widgets that
    show the settings have `form` in their keys: it changes where others than these set them.
    """

    run: ImportedRun
    changes: tuple[str, ...] = ()
    form: int = field(default_factory=lambda: next(_serials))

    @cached_property
    def verification(self) -> Verification | None:
        """Our engine beside the recording; None if the trace says no mode that is known here."""
        if self.run.mode not in MODES:
            return None
        try:
            return self.run.verify()
        except SynthError as problem:
            return Verification(0, problem=str(problem))

    @cached_property
    def why_not_opened(self) -> str | None:
        """Why the run can't be opened on other pages; None if it can."""
        if self.run.mode not in MODES:
            return "Only runs of a known mode open on the other pages."
        if not self.run.calls:
            return "A run without calls has nothing to open."
        if not self.verified:
            return "The other pages wait until all prompts are equal: they would show other calls."
        return self.why_not_held

    @property
    def verified(self) -> bool:
        """Whether our engine sends the recorded prompts."""
        return self.verification is not None and self.verification.equal

    @cached_property
    def fits(self) -> Sequence[Fit]:
        """Settings under which all prompts are equal, found by trying them."""
        found = self.verification
        return fits(self.run) if found is not None and found.first_difference else ()

    @property
    def searches_at_once(self) -> bool:
        """Whether the search for such settings is short, or was made before."""
        return "fits" in vars(self) or sum(map(len, self.run.texts)) <= _SHORT_SEARCH

    @cached_property
    def why_not_held(self) -> str | None:
        """Why the pages can't hold the run; None if they can. Only for a verified run."""
        return why_not_held(self.run)

    @cached_property
    def request(self) -> Request:
        """The run as a request; its mode must be known."""
        return request_of(self.run)

    @cached_property
    def trace(self) -> Trace:
        """The recorded calls; their prompts know their chunks where the run is verified."""
        return trace_of(self.run) if self.verified else self.run.trace()


@dataclass
class OpenedFile(Holding):
    """The open file, its runs and the position of the one that is shown; or the problem with it.

    `as_recorded` is the form of the run that is looked at as it was recorded, if one is.
    """

    name: str = ""
    runs: list[OpenedRun] = field(default_factory=list)
    position: int = 0
    problem: str | None = None
    as_recorded: int | None = None

    @property
    def comes_back(self) -> bool:
        """Whether no file is open: it is not saved."""
        return not self.runs

    @property
    def shown(self) -> OpenedRun:
        """The run that is shown."""
        return self.runs[self.position]

    def read(self, name: str, data: bytes | str) -> None:
        """Open a file; if it can't be read, the one before stays open beside the problem."""
        try:
            runs = [OpenedRun(run) for run in read(data)]
        except SynthError as problem:
            self.problem = str(problem)
            return
        self.name, self.runs, self.position, self.problem = name, runs, 0, None

    @property
    def shown_as_recorded(self) -> bool:
        """Whether the shown run is looked at as it was recorded."""
        return self.as_recorded == self.shown.form

    def look_at_recording(self, shown: bool) -> None:
        """Show the run as it was recorded, or again beside our engine."""
        self.as_recorded = self.shown.form if shown else None

    def replace(self, run: OpenedRun) -> None:
        """Show the run under other settings."""
        self.runs[self.position] = run

    def close(self) -> None:
        """Close the file."""
        self.name, self.runs, self.position, self.problem = "", [], 0, None


def opened_file() -> OpenedFile:
    """The file of this tab's workspace."""
    return workspace.current().holding(OpenedFile)
