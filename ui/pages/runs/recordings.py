"""Recorded runs, of dropped files and of applications: each beside ours, and as a row."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from synth.documents.decoding import MOST_CHUNKS
from synth.errors import ImportedRunError, SynthError
from synth.export.recipe import Messages
from synth.lazy import defer
from synth.modes.registry import MODES
from synth.prompts.templates import DEFAULTS, ChatPromptTemplate
from synth.runs.trace import Trace
from synth.text.spans import Text
from synth.text.wording import counted, short
from synth.traces import IMPORTED, Difference, Fit, ImportedRun, Verification, fits, read, trace_of
from synth.traces.imported_run import verify
from ui.controls.input_changes import settings_of
from ui.received import store
from ui.received.store import ReceivedTrace
from ui.session import workspace
from ui.session.workspace import Holding
from ui.settings import schema
from ui.settings.model import answered_by
from ui.settings.request import Model, Request
from ui.settings.schema import DEFAULT, RECORDED
from ui.store.rows import RunInfo, RunKind, State
from ui.store.store import StoreError

_log = logging.getLogger(__name__)

_SHORT_SEARCH = 30_000  # characters of the chunks, with which it takes about 3 seconds


LONGEST_TITLE, _LONGEST = 80, 60  # characters of a title, and of a problem
SAME, DIFFERENT = "✓", "≠"  # the signs of a recorded run whose prompts were compared


class RunOutcome(NamedTuple):
    """A few words with a sign before them; what needs a look stands out."""

    words: str = ""
    sign: str = ""
    needs_look: bool = False


@dataclass(frozen=True)
class OpenedRun:
    """A recorded run under the settings that are tried now, and what follows from them.

    It is of a file or an application with the name `source`. All prompts are equal with `changes`.
    """

    run: ImportedRun
    source: str = ""
    changes: tuple[str, ...] = ()
    kind: RunKind = "from a file"

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

    @property
    def outcome(self) -> RunOutcome:
        """Whether the prompts are the same here, in a few words."""
        if not self.run.calls:
            return RunOutcome("no call was made")
        if self.verification is None:
            return RunOutcome("its mode is not known here")
        if self.verified:
            words = f"the same {counted(len(self.run.calls), 'prompt')}"
            if self.run.losses:
                words += ", but the trace is not whole"
            elif self.run.failure is None:
                return RunOutcome(f"verified: {words}", SAME)
            return RunOutcome(words)
        if self.difference is not None:
            return RunOutcome(f"differs from call {self.difference.number:,} on", DIFFERENT, True)
        return RunOutcome("can't be compared", "?", True)

    @defer
    def trace(self) -> Trace:
        """The recorded calls, whose prompts know their chunks where the run is verified."""
        return trace_of(self.run) if self.verified else self.run.trace()

    @defer
    def why_not_opened(self) -> str | None:
        """Why the run can't be opened on other pages; None if it can."""
        if self.run.mode not in MODES:
            return "Only runs of a known mode open on the other pages."
        if not self.run.calls:
            return "A run without calls has nothing to open."
        if not self.verified:
            return "The other pages wait until all prompts are equal: they would show other calls."
        return why_not_held(self.run)

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
    """The runs of the dropped files, and the one whose recording is shown."""

    runs: list[OpenedRun] = field(default_factory=list)
    opened: OpenedRun | None = None

    def read(self, name: str, data: bytes | str) -> None:
        """Add the runs of a file that are not there yet; SynthError if it can't be read."""
        known = {one.run.identity for one in self.runs} - {""}
        self.runs += [OpenedRun(run, name) for run in read(data) if run.identity not in known]

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


_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_ROLES = (("user",), ("system", "user"))


def request_of(run: ImportedRun) -> Request:
    """Make the request of a run; ImportedRunError where its mode isn't known."""
    helper = run.packing
    names = run.synthesizer().templates
    templates = {name: run.templates.get(name, DEFAULTS[name]) for name in names}
    texts = {
        name: _messages(beside.partial_format(**template.kwargs))[0][1]
        for name, template in templates.items()
        if (beside := template.default_template) is not None
    }
    return Request(
        mode=run.mode,
        behaviour=run.behaviour,
        query_str=run.query,
        text_chunks=tuple(run.texts),
        positions=tuple(range(len(run.chunks))),
        scores=(None,) * len(run.chunks),
        context_window=helper.context_window,
        num_output=helper.num_output,
        chunk_overlap_ratio=helper.chunk_overlap_ratio,
        chunk_size_limit=helper.chunk_size_limit,
        response_padding_size=run.padding,
        tokenizer=helper.tokenizer.name,
        structured_answer_filtering=run.filtering,
        templates=tuple((name, _messages(template)) for name, template in templates.items()),
        variables=tuple(run.variables.items()),
        model=Model(RECORDED.value, answered_by(run.model or "")),
        measured=tuple(texts.items()),
    )


def _messages(template: ChatPromptTemplate) -> Messages:
    """Return the messages with the values that came with the template, in the modes' names."""
    names = {own: name for name, own in template.template_var_mappings.items()}

    def filled(found: re.Match[str]) -> str:
        name = names.get(found[1], found[1])
        return str(template.kwargs[name]) if name in template.kwargs else f"{{{name}}}"

    messages = template.message_templates
    if template.is_chat and len(messages) == 1:
        messages = (("user", template.get_template()),)
    return tuple((role, _PLACEHOLDER.sub(filled, text)) for role, text in messages)


def settings_beside(run: ImportedRun, request: Request) -> dict[str, Any]:
    """The settings that the request of a trace does not say: other templates, and who answers."""
    others = [name for name in DEFAULTS if name not in dict(request.templates)]
    defaults = [schema.template_settings(name) for name in others]
    model = {"model": RECORDED.value, "recorded_model": run.model or ""}
    return {path: value for values in defaults for path, value in values.items()} | model


def why_not_held(run: ImportedRun) -> str | None:
    """Why the pages can't hold this run, whose prompts are equal to ours; None if they can."""
    if len(run.chunks) > MOST_CHUNKS:
        return f"It has {len(run.chunks):,} chunks, and the pages hold up to {MOST_CHUNKS:,}."
    request = request_of(run)
    if request.context_window > schema.MOST_TOKENS or not request.num_output:
        return (
            f"Its window of {request.context_window:,} and num_output of {request.num_output:,}"
            f" tokens are outside of what the pages hold: 1 to {schema.MOST_TOKENS:,}."
        )
    for name, messages in request.templates:
        roles = tuple(role for role, _ in messages)
        if roles not in _ROLES:
            return (
                f"Its {name} has messages of {', '.join(roles)}; the pages hold a system message"
                " and a text."
            )
    outcome = verify_settings(run, request)
    if outcome.equal:
        return None
    streamed = " It was streamed, which the pages don't do." if run.streaming else ""
    return f"With the settings that the pages hold, call {outcome.calls + 1:,} differs.{streamed}"


def verify_settings(run: ImportedRun, request: Request) -> Verification:
    """Whether the settings that make this request send the prompts of the run."""
    settings = settings_of(request) | settings_beside(run, request)
    held = Request.of(DEFAULT.with_(settings))
    texts = [Text.of(text, "chunk", number) for number, text in enumerate(held.text_chunks, 1)]
    steps = held.synthesizer().steps(held.query_str, texts, **dict(held.variables))
    return verify(steps, run.calls)


class ListRow(NamedTuple):
    """A run of the list; one that is not saved is of a file, and has a `recording`, or received."""

    info: RunInfo
    outcome: RunOutcome
    recording: OpenedRun | None = None
    is_saved: bool = False


def write_title(run: RunInfo) -> str:
    """Return the name that a person gave the run, else its question."""
    return run.name or run.question or "(no question)"


def describe_failure(problem: str | None) -> RunOutcome:
    """Say that a run failed, and why."""
    why = f": {short(problem, _LONGEST)}" if problem else ""
    return RunOutcome(f"failed{why}", "✕", True)


def make_row(run: OpenedRun, id: str, *, compares: bool = True) -> ListRow:
    """Make the row of a run that its trace alone has; `compares` its prompts, if asked to."""
    recorded = run.run
    failure = recorded.failure
    if failure is None and recorded.response is None and recorded.mode != IMPORTED:
        failure = "without an answer"
    state: State = "done"
    if recorded.is_incomplete:
        state, outcome = "incomplete", STATES["incomplete"]
    elif failure is not None:
        state, outcome = "failed", describe_failure(failure)
    elif compares or "verification" in vars(run):
        outcome = run.outcome
    else:
        outcome = RunOutcome("not compared yet")
    info = RunInfo(
        behaviour="llama_index",
        id=id,
        kind=run.kind,
        page=run.source,
        state=state,
        started=recorded.started,
        seconds=recorded.seconds,
        mode=recorded.mode,
        model=recorded.model or "",
        calls=len(recorded.calls),
        requests=len(recorded.calls),
        prompt_tokens=recorded.prompt_tokens,
        output_tokens=recorded.output_tokens,
        question=recorded.query,
        answer=recorded.response or "",
    )
    return ListRow(info, outcome, run if run.kind == "from a file" else None)


STATES: dict[State, RunOutcome] = {
    "running": RunOutcome("running", "…"),
    "interrupted": RunOutcome("interrupted", "‖", True),
    "stopped": RunOutcome("stopped", "□", True),
    "incomplete": RunOutcome("incomplete", "…"),
}


_MOST = 100  # traces that are read: the list has the newest


_rows: dict[tuple[ReceivedTrace, bool], Sequence[ListRow]] = {}
"""The rows of each trace; it is read again when more comes, or once it is silent."""


def read_received() -> list[ListRow]:
    """Read the syntheses of the newest traces, those that came since it was called; StoreError."""
    traces = [(trace, trace.silent) for trace in store.read_traces()[:_MOST]]
    for gone in _rows.keys() - set(traces):
        _rows.pop(gone, None)
    for known in traces:
        if known not in _rows:
            _rows[known] = _read(known[0])
    return [row for known in traces for row in _rows[known]]


def _read(trace: ReceivedTrace) -> Sequence[ListRow]:
    try:
        runs = [_of_application(run) for run in store.read_syntheses(trace)]
        return [make_row(run, run.run.identity) for run in runs]
    except StoreError:
        raise
    except SynthError as problem:
        return [_unreadable_row(trace, str(problem))]
    except Exception as defect:  # the other traces can be read
        _log.exception("A received trace can't be read.")
        words = f"This app fails to read it ({type(defect).__name__}): its log says more."
        return [_unreadable_row(trace, words)]


def _of_application(run: ImportedRun) -> OpenedRun:
    return OpenedRun(run, run.service or "an application", kind="received")


def _unreadable_row(trace: ReceivedTrace, problem: str) -> ListRow:
    info = RunInfo(
        id=trace.trace_id,
        kind="received",
        state="failed",
        started=datetime.fromtimestamp(trace.came, UTC),
        question="A trace that can't be read",
        problem=problem,
    )
    return ListRow(info, describe_failure(problem))


def read_again(info: RunInfo) -> OpenedRun:
    """Read the run of a row again; ImportedRunError or StoreError that says why it can't be."""
    trace_id, _, _ = info.id.partition("-")
    traces = [trace for trace in store.read_traces() if trace.trace_id == trace_id]
    for run in (each for trace in traces for each in store.read_syntheses(trace)):
        if run.identity == info.id:
            return _of_application(run)
    raise ImportedRunError(
        "Its spans are gone: newer ones needed their room, or they were deleted."
    )
