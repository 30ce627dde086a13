"""The open file, its runs, and each of them beside the one that synth computes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from synth.errors import SynthError
from synth.lazy import defer
from synth.modes.registry import MODES
from synth.runs.trace import Trace
from synth.traces import Difference, Fit, ImportedRun, Verification, fits, read, trace_of
from synth.traces.containers import unpack
from synth.words.coverage_words import cut_off_tokens
from ui.imported.as_request import held_request, request_of, why_not_held
from ui.plans.plan_range import plan_range
from ui.session import workspace
from ui.session.workspace import Holding
from ui.settings import schema
from ui.settings.request import Request

_serials = count(1)
_SHORT_SEARCH = 30_000  # characters of the chunks, with which it takes about 3 seconds


class OtherMode(NamedTuple):
    """What a mode sends: calls, prompt tokens, tokens cut off; none if it can't be planned."""

    label: str
    numbers: Sequence[int]
    problem: str = ""


@dataclass(frozen=True)
class OpenedRun:
    """A run of the file under the settings that are tried now, and what follows from them.

    All prompts are equal with `changes`. Widgets that show the settings have `form` in their keys:
    it changes where others than these set them.
    """

    run: ImportedRun
    changes: tuple[str, ...] = ()
    form: int = field(default_factory=lambda: next(_serials))

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

    @property
    def mean_answer(self) -> int:
        """Tokens of an answer, with which the other modes are planned."""
        calls = self.run.calls
        return round(sum(call.output_tokens for call in calls) / len(calls))

    @defer
    def other_modes(self) -> Sequence[OtherMode]:
        """The recorded run, which the pages must hold, and its input in other modes, planned."""
        mode, trace = self.run.mode, self.trace
        numbers = (trace.call_count, trace.prompt_tokens, cut_off_tokens(trace))
        others = [self._plan(other) for other in schema.FIRST_MODES if other != mode]
        return [OtherMode(f"{mode}, recorded", numbers), *others]

    def _plan(self, mode: str) -> OtherMode:
        request = held_request(self.run, request_of(self.run), mode=mode)
        plan = plan_range(request, self.mean_answer).high
        if plan is None or plan.problem:
            return OtherMode(mode, (), "can't run" if plan is None else "never ends")
        return OtherMode(mode, (plan.call_count, plan.prompt_tokens, cut_off_tokens(plan)))


@dataclass
class OpenedFile(Holding):
    """The open file, its runs and the position of the one that is shown; or the problem with it."""

    name: str = ""
    runs: list[OpenedRun] = field(default_factory=list)
    position: int = 0
    problem: str | None = None

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
            runs = read(unpack(data) if isinstance(data, bytes) else data)
        except SynthError as problem:
            self.problem = str(problem)
            return
        self.show(name, runs)

    def show(self, name: str, runs: Sequence[ImportedRun], position: int = 0) -> None:
        """Show runs that are read, and the one at this position."""
        self.name, self.position, self.problem = name, position, None
        self.runs = [OpenedRun(run) for run in runs]

    def replace(self, run: OpenedRun) -> None:
        """Show the run under other settings."""
        self.runs[self.position] = run

    def close(self) -> None:
        """Close the file."""
        self.show("", [])


def opened_file() -> OpenedFile:
    """The file of this tab's workspace."""
    return workspace.current().holding(OpenedFile)
