"""Recorded runs: those of dropped files, each beside what synth computes, and as a request."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from synth.documents.decoding import MOST_CHUNKS
from synth.errors import SynthError
from synth.export.recipe import Messages
from synth.lazy import defer
from synth.modes.registry import MODES
from synth.prompts.templates import DEFAULTS, ChatPromptTemplate
from synth.runs.trace import Trace
from synth.text.spans import Text
from synth.traces import Difference, Fit, ImportedRun, Verification, fits, read, trace_of
from synth.traces.imported_run import verify
from ui.controls.handover import TRACE, settings_of
from ui.session import workspace
from ui.session.workspace import Holding
from ui.settings import schema, template_texts
from ui.settings.model import answered_by
from ui.settings.model_kinds import RECORDED
from ui.settings.request import Model, Request
from ui.settings.schema import DEFAULT

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
    """The runs of the dropped files, the one whose recording is shown, and the latest problem."""

    runs: list[OpenedRun] = field(default_factory=list)
    opened: OpenedRun | None = None
    problem: str | None = None

    def read(self, name: str, data: bytes | str) -> None:
        """Add the runs of a file that are not there yet; what can't be read is a problem."""
        try:
            runs = read(data)
        except SynthError as problem:
            self.problem = str(problem)
            return
        self.problem = None
        known = {one.run.identity for one in self.runs} - {""}
        self.runs += [OpenedRun(run, name) for run in runs if run.identity not in known]

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
    defaults = [template_texts.defaults(name) for name in others]
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
    settings = settings_of(request, TRACE) | settings_beside(run, request)
    held = Request.of(DEFAULT.with_(settings))
    texts = [Text.of(text, "chunk", number) for number, text in enumerate(held.text_chunks, 1)]
    steps = held.synthesizer().steps(held.query_str, texts, **dict(held.variables))
    return verify(steps, run.calls)
