"""The open file and its runs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import NamedTuple

from synth.errors import SynthError
from synth.modes.registry import MODES
from synth.traces import Fit, ImportedRun, fits, read
from synth.traces.containers import unpacked
from ui.imported.as_request import request_of
from ui.imported.beside import Beside, OtherMode, beside, is_short, other_modes
from ui.session import workspace
from ui.session.workspace import Holding
from ui.settings.request import Request

_serials = count(1)


class Search(NamedTuple):
    """The settings that a search found, or why it was not made to the end."""

    found: Sequence[Fit] = ()
    problem: str | None = None


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
    def beside(self) -> Beside:
        """The run beside the one that synth computes."""
        return beside(self.run)

    @cached_property
    def why_not_opened(self) -> str | None:
        """Why the run can't be opened on other pages; None if it can."""
        if self.run.mode not in MODES:
            return "Only runs of a known mode open on the other pages."
        if not self.run.calls:
            return "A run without calls has nothing to open."
        if not self.verified:
            return "The other pages wait until all prompts are equal: they would show other calls."
        return self.beside.why_not_held

    @property
    def verified(self) -> bool:
        """Whether synth sends the recorded prompts."""
        found = self.beside.verification
        return found is not None and found.equal

    @cached_property
    def search(self) -> Search:
        """Settings under which all prompts are equal, found by trying them."""
        found = self.beside.verification
        if found is None or found.first_difference is None:
            return Search()
        try:
            return Search(fits(self.run))
        except SynthError as problem:
            return Search(problem=str(problem))

    @property
    def searches_at_once(self) -> bool:
        """Whether the search for such settings is short, or was made before."""
        return "search" in vars(self) or is_short(self.run)

    @cached_property
    def request(self) -> Request | None:
        """The run as a request; None where it can't be opened on other pages."""
        return request_of(self.run) if self.why_not_opened is None else None

    @cached_property
    def other_modes(self) -> Sequence[OtherMode]:
        """The input in other modes; the pages must hold the run."""
        return other_modes(self.run, self.beside.trace)


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
            runs = read(unpacked(data) if isinstance(data, bytes) else data)
        except SynthError as problem:
            self.problem = str(problem)
            return
        self.show(name, runs)

    def show(self, name: str, runs: Sequence[ImportedRun], position: int = 0) -> None:
        """Show runs that are read, and the one at this position."""
        self.name, self.position, self.problem = name, position, None
        self.runs = [OpenedRun(run) for run in runs]

    @property
    def shown_as_recorded(self) -> bool:
        """Whether the shown run is looked at as it was recorded."""
        return self.as_recorded == self.shown.form

    def look_at_recording(self, shown: bool) -> None:
        """Show the run as it was recorded, or again beside the computed one."""
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
