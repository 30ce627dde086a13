"""A run that another application made, as its trace tells it, and our engine beside it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from synth.errors import ImportedRunError, ModelError, SynthError
from synth.lazy import defer
from synth.modes.base import BaseSynthesizer
from synth.modes.inputs import read_contents, refuse_reserved
from synth.modes.registry import MODES, Behaviour, get_response_synthesizer, mode_class
from synth.prompts.prompt_helper import PromptHelper
from synth.prompts.templates import ChatPromptTemplate
from synth.runs.calls import CallRecord, Setup
from synth.runs.steps import Answer, Call, Done, Steps, advance
from synth.runs.trace import Plan, Trace
from synth.schema import NodeWithScore
from synth.text.spans import Text

if TYPE_CHECKING:
    from synth.runs.llm import LLM


@dataclass(frozen=True)
class Difference:
    """The first call that synth makes otherwise, and both prompts; None where one side has none."""

    number: int
    recorded: str | None
    prompt: str | None


@dataclass(frozen=True)
class Verification:
    """How many prompts are equal, and what is not; `problem` says why no comparison went on."""

    calls: int
    first_difference: Difference | None = None
    problem: str | None = None

    @property
    def equal(self) -> bool:
        """Return whether all prompts are equal to those that were sent."""
        return self.first_difference is None and self.problem is None


def verify(steps: Steps, recorded: Sequence[CallRecord]) -> Verification:
    """Step through a mode with the recorded answers, up to the first prompt that differs."""
    answers: list[Answer] | None = None
    done = 0
    try:
        while not isinstance(batch := advance(steps, answers), Done):
            records = recorded[done : done + len(batch)]
            for call, record in zip(batch, records, strict=False):
                if call.prompt.text != record.prompt.text:
                    return _find_difference(record.number, record, call)
            done += len(records)
            missing = [record.number for record in records if record.answer is None]
            if missing:
                problem = (
                    f"The trace has no answer to call {missing[0]}, so the prompts after it can't"
                    " be compared: record the run with whole answers."
                )
                return Verification(done, problem=problem if done < len(recorded) else None)
            if len(records) < len(batch):
                return _find_difference(done + 1, None, batch[len(records)])
            answers = [
                Answer(record.number, record.answer or "", record.satisfied) for record in records
            ]
    except SynthError as problem:
        return Verification(done, problem=str(problem))
    return (
        _find_difference(done + 1, recorded[done], None)
        if done < len(recorded)
        else Verification(done)
    )


def _find_difference(number: int, record: CallRecord | None, call: Call | None) -> Verification:
    recorded = None if record is None else record.prompt.text
    prompt = None if call is None else call.prompt.text
    return Verification(number - 1, Difference(number, recorded, prompt))


Said = Literal["chunks", "templates"]
"""What a trace may say itself; where it doesn't, it is recovered or taken for granted."""

PRESENT: Behaviour = "llama_index"
OLDER: Behaviour = "llama_index_before_0.14.22"
OLDER_RULES = "the rules of llama-index-core before 0.14.22"
IMPORTED = "imported"
"""The mode of a run of which nothing is claimed: its calls and documents are shown."""


NOTES: Mapping[str, str] = tomllib.loads(Path(__file__).with_name("notes.toml").read_text("utf-8"))
"""The sentences on recordings, with fields in braces."""


class Loss(str):
    """A note that names what the trace, or its reading, lost."""


@dataclass(frozen=True)
class ImportedRun:
    """A recorded run: its input, its settings as far as the trace has them, and its calls.

    `mode` is "imported" where the trace doesn't say it; `notes` name what it lost, `certain` what
    it says itself. `version` is the behaviour of the version that made it; with None each is tried.
    `started` is in UTC. Values were cut off after `cut_off` characters.
    `uncounted` are tokens of roles that LlamaIndex does not count; `packing` has room for them.
    `failure` says why it failed; of one that `is_incomplete` spans are missing. `service` is the
    name of the application.
    """

    mode: str
    query: str
    chunks: tuple[NodeWithScore, ...] = field(repr=False)
    templates: Mapping[str, ChatPromptTemplate] = field(repr=False)
    helper: PromptHelper = field(repr=False, compare=False)
    calls: tuple[CallRecord, ...] = field(repr=False)
    notes: tuple[str, ...]
    response: str | None
    started: datetime
    seconds: float
    model: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    filtering: bool = False
    streaming: bool = False
    padding: int | None = None
    version: Behaviour | None = None
    cut_off: int | None = None
    certain: frozenset[Said] = frozenset()
    uncounted: int = 0
    failure: str | None = None
    is_incomplete: bool = False
    service: str = field(default="", compare=False)
    identity: str = field(default="", compare=False, repr=False)

    @property
    def losses(self) -> list[str]:
        """Return the notes on what the trace lost: where there are none, it is whole."""
        return [note for note in self.notes if isinstance(note, Loss)]

    @property
    def texts(self) -> list[str]:
        """Return the chunks as the model reads them, with their metadata lines."""
        return read_contents(self.chunks)

    @property
    def prompt_tokens(self) -> int:
        """Count the tokens of all prompts: those that the server reported, else our count."""
        return sum(call.sent_tokens for call in self.calls)

    @property
    def output_tokens(self) -> int:
        """Count the tokens of all answers: those that the server reported, else our count."""
        return sum(call.output_tokens for call in self.calls)

    @property
    def behaviour(self) -> Behaviour:
        """Return the behaviour that sends the most of its prompts, the present one if all do."""
        if self.version is not None or self.mode not in MODES:
            return self.version or PRESENT
        return self._verified[0]

    @property
    def rules(self) -> tuple[str, ...]:
        """Name the rules that send its prompts, where they are not those of the present version."""
        return (OLDER_RULES,) if self.behaviour == OLDER else ()

    @property
    def packing(self) -> PromptHelper:
        """Return the helper that packs the same prompts."""
        return self.with_helper(context_window=self.helper.context_window + self.uncounted).helper

    def with_helper(self, **changes: Any) -> Self:
        """Return the run with other arguments of its prompt helper; BudgetError as there."""
        return replace(self, helper=PromptHelper(**{**vars(self.helper), **changes}))

    def synthesizer(self, llm: LLM | None = None) -> BaseSynthesizer:
        """Make a synthesizer with these settings; ImportedRunError for an unknown mode."""
        if self.mode not in MODES:
            raise ImportedRunError(
                f"The trace does not say a response mode that is known here, but {self.mode!r}:"
                " choose a mode to see what it would do with these chunks."
            )
        refuse_reserved(self.variables)
        return get_response_synthesizer(
            self.mode,
            llm,
            self.packing,
            self.behaviour,
            self.streaming,
            structured_answer_filtering=self.filtering,
            response_padding_size=self.padding,
            **self.templates,  # type: ignore[arg-type]
        )

    def plan(self, mode: str | None = None) -> Plan:
        """Plan what the application would send in a mode, else in its own, before any answer."""
        mode = mode or self.mode
        run = replace(
            self,
            mode=mode,
            version=self.behaviour,
            filtering=self.filtering and mode_class(mode).filters,
            streaming=self.streaming and mode == self.mode,
        )
        values: Mapping[str, Any] = self.variables
        return run.synthesizer().plan(self.query, self.texts, **values)

    def trace(self) -> Trace:
        """Return the calls as they were recorded; `trace_of` knows the chunks that they carry."""
        setup = Setup(
            mode=self.mode,
            behaviour=self.version or PRESENT,
            query=self.query,
            chunks=tuple(self.texts),
            context_window=self.helper.context_window,
            num_output=self.helper.num_output,
            tokenizer=self.helper.tokenizer,
        )
        return Trace(setup, self.calls, self.response, seconds=self.seconds)

    def verify(self) -> Verification:
        """Compare the recorded prompts with ours, given the recorded answers."""
        return self._verified[1]

    @defer
    def _verified(self) -> tuple[Behaviour, Verification]:
        version = self.version or PRESENT
        outcome = self._compare(version)
        if self.version is None and not outcome.equal:
            older = self._compare(OLDER)
            if older.calls > outcome.calls or older.equal:
                return OLDER, older
        return version, outcome

    def _compare(self, behaviour: Behaviour) -> Verification:
        if not self.calls and not self.chunks:
            return Verification(0)  # without documents neither side makes a call
        if problem := self._cut_off_prompts():
            return Verification(0, problem=problem)
        texts = [Text.of(text, "chunk", number) for number, text in enumerate(self.texts, 1)]
        synthesizer = replace(self, version=behaviour).synthesizer()
        return verify(synthesizer.steps(self.query, texts, **self.variables), self.calls)

    def _cut_off_prompts(self) -> str | None:
        if self.cut_off is None:
            return None
        longest = [
            max(len(message.content) for message in call.prompt.messages) for call in self.calls
        ]
        shortened = sum(length >= self.cut_off for length in longest)
        if not shortened:
            return None
        return (
            f"{shortened:,} of {len(longest):,} prompts are cut off after {self.cut_off:,}"
            " characters in the trace, so they can't be compared: record whole values."
        )


def trace_of(run: ImportedRun) -> Trace:
    """Return a verified run's calls, whose prompts know the chunks that they carry."""
    recorded, values = run.trace(), run.variables
    replayed = run.synthesizer().replay(run.query, run.texts, recorded.log(), **values)
    placed = {call.number: call for call in replayed.calls}
    calls = tuple(
        replace(call, prompt=own.prompt, depth=own.depth, padding=own.padding)
        if (own := placed.get(call.number)) is not None
        else call
        for call in recorded.calls
    )
    response = replayed.response if run.response is None else run.response
    error = next((call.error for call in calls if call.error), None)
    if response is None and error is None:
        error = "The trace ends before the last call was answered"
    return replace(
        replayed,
        calls=calls,
        response=response,
        error=None if response is not None else error,
        error_kind=None if response is not None else ModelError.__name__,
        stopped=False,
        seconds=run.seconds,
    )
