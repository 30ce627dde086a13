"""What would happen and what did, as frozen data: calls, plans, traces, coverage, tables."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import pandas as pd

from synth.prompts import Prompt
from synth.spans import Origin
from synth.tokens import Tokenizer


@dataclass(frozen=True)
class Setup:
    """What a run was asked: the mode, the question, the chunks and the limits (in tokens)."""

    mode: str
    behaviour: str
    query: str
    chunks: tuple[str, ...]
    context_window: int
    num_output: int
    tokenizer: Tokenizer = field(compare=False)


@dataclass(frozen=True)
class PlacedCall:
    """A call in a run: `number` counts from 1, `depth` counts the answers it waits for."""

    number: int
    depth: int
    template: str
    prompt: Prompt
    padding: int
    notes: tuple[str, ...]

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Where the chunk text and the earlier answers in the prompt came from, in order."""
        return tuple(origin for span in self.prompt.spans for origin in span.text.origins)


@dataclass(frozen=True)
class PlannedCall(PlacedCall):
    """A call that would be made, with an answer of `output_tokens` assumed."""

    output_tokens: int
    tokenizer: Tokenizer = field(compare=False, repr=False)

    @cached_property
    def prompt_tokens(self) -> int:
        """The exact tokens of the prompt, under the assumed answers."""
        return self.prompt.tokens(self.tokenizer)

    @property
    def exact(self) -> bool:
        """Whether the prompt is what would be sent: it waits for no answer."""
        return self.depth == 0


@dataclass(frozen=True)
class CallRecord(PlacedCall):
    """A call that was sent: it has an `answer`, or an `error` that says why not.

    `reply` is what the model wrote (JSON where a schema was asked), `answer` what it means.
    `prompt_tokens` are counted here, `reported_prompt_tokens` by the server if it said.
    `started` and `seconds` are seconds since the run began and of the call.
    """

    prompt_tokens: int
    reported_prompt_tokens: int | None = None
    answer: str | None = None
    reply: str | None = None
    satisfied: bool = True
    output_tokens: int = 0
    finish_reason: str | None = None
    error: str | None = None
    error_kind: str | None = None
    replayed: bool = field(default=False, compare=False)
    started: float = field(default=0.0, compare=False)
    seconds: float = field(default=0.0, compare=False)


class Logged(NamedTuple):
    """An answer worth keeping, and the hash of the prompt that it belongs to."""

    prompt_hash: str
    answer: str
    satisfied: bool = True
    reply: str | None = None
    output_tokens: int = 0
    finish_reason: str | None = None
    seconds: float = 0.0


Log = Mapping[int, Logged]


def prompt_hash(prompt: Prompt) -> str:
    """What an answer in a log is matched by; a changed prompt is asked again."""
    return hashlib.sha256(prompt.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Plan:
    """The calls that a run would make, if every answer had `answer_tokens` tokens.

    `problem` says why the plan stops early: it would not end, or it reaches the cap.
    """

    setup: Setup
    calls: tuple[PlannedCall, ...]
    answer_tokens: int
    problem: str | None = None

    @property
    def call_count(self) -> int:
        """Number of calls."""
        return len(self.calls)

    @cached_property
    def prompt_tokens(self) -> int:
        """Tokens of all prompts."""
        return sum(call.prompt_tokens for call in self.calls)

    @property
    def output_tokens(self) -> int:
        """Tokens of all assumed answers."""
        return sum(call.output_tokens for call in self.calls)

    @property
    def longest_chain(self) -> int:
        """How many calls must wait for one another."""
        return longest_chain(self.calls)

    @property
    def exact(self) -> bool:
        """Whether these are the calls that would be made, whatever the answers say."""
        return self.problem is None and all(call.exact for call in self.calls)

    @cached_property
    def coverage(self) -> tuple[ChunkCoverage, ...]:
        """What would be sent of each chunk."""
        return coverage(self.setup, self.calls)

    def to_frame(self) -> pd.DataFrame:
        """A row a call."""
        return calls_frame(self.calls)


@dataclass(frozen=True)
class Trace:
    """What a run did. `response` is None if it failed (`error` says why) or was `stopped`."""

    setup: Setup
    calls: tuple[CallRecord, ...]
    response: str | None = None
    error: str | None = None
    error_kind: str | None = None
    stopped: bool = False
    seconds: float = field(default=0.0, compare=False)

    @property
    def prompt_tokens(self) -> int:
        """Tokens of all prompts sent."""
        return sum(call.prompt_tokens for call in self.calls)

    @property
    def output_tokens(self) -> int:
        """Tokens of all answers."""
        return sum(call.output_tokens for call in self.calls)

    @property
    def longest_chain(self) -> int:
        """How many calls waited for one another."""
        return longest_chain(self.calls)

    @cached_property
    def coverage(self) -> tuple[ChunkCoverage, ...]:
        """What was sent of each chunk."""
        return coverage(self.setup, self.calls)

    def log(self) -> dict[int, Logged]:
        """The answers by call number, to replay the run or to go on from where it stopped."""
        return {
            call.number: Logged(
                prompt_hash(call.prompt),
                call.answer,
                call.satisfied,
                call.reply,
                call.output_tokens,
                call.finish_reason,
                call.seconds,
            )
            for call in self.calls
            if call.answer is not None
        }

    def to_frame(self) -> pd.DataFrame:
        """A row a call, in order of their numbers."""
        frame = calls_frame(self.calls)
        for name in ("answer", "satisfied", "error", "replayed", "started", "seconds"):
            frame[name] = [getattr(call, name) for call in self.calls]
        return frame


def longest_chain(calls: Iterable[PlacedCall]) -> int:
    """How many calls must wait for one another; a batch counts once."""
    return max((call.depth + 1 for call in calls), default=0)


def calls_frame(calls: Sequence[PlannedCall] | Sequence[CallRecord]) -> pd.DataFrame:
    """Number, depth, template, sources, prompt and output tokens, notes and prompt of each call."""
    rows = [
        {
            "call": call.number,
            "depth": call.depth,
            "template": call.template,
            "reads": ", ".join(_sources(call)),
            "prompt_tokens": call.prompt_tokens,
            "output_tokens": call.output_tokens,
            "notes": "; ".join(call.notes),
            "prompt": call.prompt.text,
        }
        for call in calls
    ]
    columns = ["call", "depth", "template", "reads", "prompt_tokens", "output_tokens"]
    return pd.DataFrame(rows, columns=[*columns, "notes", "prompt"])


def _sources(call: PlacedCall) -> list[str]:
    return list(dict.fromkeys(f"{origin.kind} {origin.number}" for origin in call.origins))


class Stretch(NamedTuple):
    """Characters `start` to `end` of a chunk, the calls that carried them, and how deep."""

    start: int
    end: int
    calls: tuple[int, ...]
    depth: int | None


@dataclass(frozen=True)
class ChunkCoverage:
    """What was sent of one chunk: stretches in order, which together are the whole chunk."""

    number: int
    text: str
    stretches: tuple[Stretch, ...]
    tokenizer: Tokenizer = field(compare=False, repr=False)

    @property
    def lost(self) -> tuple[Stretch, ...]:
        """The stretches that no call carried, white space aside."""
        return tuple(
            part for part in self.stretches if not part.calls and self._shown(part).strip()
        )

    @property
    def lost_characters(self) -> int:
        """Characters that were never sent, without the white space around them."""
        return sum(len(self._shown(part).strip()) for part in self.lost)

    @property
    def lost_tokens(self) -> int:
        """Tokens of the stretches that were never sent."""
        return sum(self.tokenizer.count(self._shown(part)) for part in self.lost)

    @property
    def repeated_characters(self) -> int:
        """Characters that stand in more than one call."""
        return sum(part.end - part.start for part in self.stretches if len(part.calls) > 1)

    @cached_property
    def tokens(self) -> int:
        """Tokens of the whole chunk."""
        return self.tokenizer.count(self.text)

    def _shown(self, part: Stretch) -> str:
        return self.text[part.start : part.end]


def coverage(setup: Setup, calls: Iterable[PlacedCall]) -> tuple[ChunkCoverage, ...]:
    """Which calls carried which characters of each chunk, read from the origins of their spans."""
    carried: dict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
    for call in calls:
        for kind, number, start, end in call.origins:
            if kind == "chunk":
                carried[number].append((start, end, call.number, call.depth))
    return tuple(
        ChunkCoverage(number, text, tuple(_stretches(len(text), carried[number])), setup.tokenizer)
        for number, text in enumerate(setup.chunks, 1)
    )


def _stretches(length: int, carried: list[tuple[int, int, int, int]]) -> Iterable[Stretch]:
    """Cut `length` characters wherever a call's share begins or ends."""
    starts, ends = defaultdict(list), defaultdict(list)
    for start, end, number, depth in carried:
        starts[start].append((number, depth))
        ends[end].append((number, depth))
    edges = sorted({0, length, *starts, *ends})
    active: list[tuple[int, int]] = []
    for left, right in pairwise(edges):
        for gone in ends[left]:
            active.remove(gone)
        active += starts[left]
        numbers = tuple(sorted({number for number, _ in active}))
        yield Stretch(left, right, numbers, max((depth for _, depth in active), default=None))


def coverage_frame(chunks: Iterable[ChunkCoverage]) -> pd.DataFrame:
    """A row a chunk: its tokens, what was lost, what was sent twice, in which calls."""
    rows = [
        {
            "chunk": chunk.number,
            "tokens": chunk.tokens,
            "lost_tokens": chunk.lost_tokens,
            "lost_characters": chunk.lost_characters,
            "repeated_characters": chunk.repeated_characters,
            "calls": ", ".join(
                map(str, sorted({call for part in chunk.stretches for call in part.calls}))
            ),
        }
        for chunk in chunks
    ]
    return pd.DataFrame(rows)
