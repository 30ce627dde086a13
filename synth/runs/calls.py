"""The calls of a run: those that would be made and those that were, and where their tokens go.

Answers that were paid for are kept in a log by call, or in a cache by prompt.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from typing_extensions import override

from synth.errors import Stopped
from synth.lazy import defer
from synth.prompts.prompt import VALUES, Prompt, Span, SpanKind
from synth.runs.llm import is_cut
from synth.runs.prices import CacheRule, Price
from synth.text.spans import Origin
from synth.text.tokenizer import Tokenizer


class Spent(NamedTuple):
    """Requests that were sent for calls, and the tokens of their prompts and answers."""

    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0

    @property
    def tokens(self) -> tuple[int, int, int, int]:
        """Return the tokens as `Price.of` takes them."""
        return self.prompt_tokens, self.output_tokens, self.cached_tokens, self.written_tokens


def total(amounts: Iterable[Spent]) -> Spent:
    """Return what was spent in all."""
    return Spent(*map(sum, zip(*amounts, strict=True)))


NOTHING_SPENT = Spent()


@dataclass(frozen=True)
class Setup:
    """The input of a run: mode, question, chunks, limits (in tokens), price, rule of the cache.

    An answer has room for `num_output` tokens, and the reasoning before it for `reasoning_output`.
    """

    mode: str
    behaviour: str
    query: str
    chunks: tuple[str, ...] = field(repr=False)
    context_window: int
    num_output: int
    tokenizer: Tokenizer = field(compare=False, repr=False)
    price: Price | None = field(default=None, compare=False, repr=False)
    cache: CacheRule | None = field(default=None, compare=False, repr=False)
    reasoning_output: int = 0

    @property
    def most_output(self) -> int:
        """Count the tokens that a reply may have."""
        return self.num_output + self.reasoning_output


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
    def all_notes(self) -> tuple[str, ...]:
        """Return all that is to be said of it."""
        return self.notes

    @defer
    def origins(self) -> tuple[Origin, ...]:
        """Return where the chunk text and the earlier answers in the prompt came from, in order."""
        return tuple(origin for span in self.prompt.spans for origin in span.text.origins)


@dataclass(frozen=True)
class PlannedCall(PlacedCall):
    """A call that would be made, with a reply of `output_tokens` assumed.

    Of these, `reasoning_tokens` are reasoning: all the room for it, unless so many are assumed.
    `cached_tokens` of its prompt a server has likely read before, and `written_tokens` it charges
    for remembering; None where no rule of a cache is known.
    """

    output_tokens: int
    tokenizer: Tokenizer = field(compare=False, repr=False)
    reasoning_tokens: int = 0
    cached_tokens: int | None = None
    written_tokens: int | None = None

    @defer
    def prompt_tokens(self) -> int:
        """Count the tokens of the prompt, under the assumed answers."""
        return self.prompt.tokens(self.tokenizer)

    @property
    def exact(self) -> bool:
        """Return whether the prompt is what would be sent: it waits for no answer."""
        return self.depth == 0


@dataclass(frozen=True)
class CallRecord(PlacedCall):
    """A call that was sent: it has an `answer`, or an `error` that says why not.

    `reply` is what the model wrote (JSON where a schema was asked), `answer` what it means.
    Counts are the server's where it gave them; those of reasoning, of cached and of written tokens
    are part of the others. `tries` counts requests, each with the whole prompt; `retried` says why
    each was repeated. `started` and `seconds` are seconds since the run began and of the call.
    """

    prompt_tokens: int
    reported_prompt_tokens: int | None = None
    answer: str | None = None
    reply: str | None = None
    satisfied: bool = True
    output_tokens: int = 0
    finish_reason: str | None = None
    reasoning: str = ""
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    written_tokens: int | None = None
    error: str | None = None
    error_kind: str | None = None
    tries: int = 1
    retried: tuple[str, ...] = ()
    replayed: bool = field(default=False, compare=False)
    started: float = field(default=0.0, compare=False)
    seconds: float = field(default=0.0, compare=False)

    @property
    @override
    def all_notes(self) -> tuple[str, ...]:
        """Return its notes, and why each request failed that was sent again."""
        failed = (f"Try {at} failed. {why}".rstrip() for at, why in enumerate(self.retried, 1))
        return (*self.notes, *failed)

    @property
    def sent_tokens(self) -> int:
        """Count the tokens of the prompt: those that the server reported, else our count."""
        reported = self.reported_prompt_tokens
        return self.prompt_tokens if reported is None else reported

    @property
    def spent(self) -> Spent:
        """Return what it cost when it was sent: each request counts with its prompt."""
        cached = min(self.cached_tokens or 0, self.sent_tokens)
        written = min(self.written_tokens or 0, self.sent_tokens - cached)
        return Spent(self.tries, self.tries * self.sent_tokens, self.output_tokens, cached, written)

    @property
    def is_cut(self) -> bool:
        """Return whether the reply ended at the limit of its tokens."""
        return is_cut(self.finish_reason)

    @property
    def received(self) -> bool:
        """Return whether any reply came, usable or not."""
        return self.answer is not None or self.reply is not None

    def answer_tokens(self, setup: Setup) -> int:
        """Count the tokens of the reply without the reasoning that there was room for."""
        room = setup.reasoning_output
        reasoning = room if self.reasoning_tokens is None else min(room, self.reasoning_tokens)
        return max(self.output_tokens - reasoning, 0)

    def exceeds(self, setup: Setup) -> bool:
        """Return whether the answer is longer than asked, unless its server cut it uncounted."""
        counted_there = self.reported_prompt_tokens is not None or not self.is_cut
        return counted_there and self.answer_tokens(setup) > setup.num_output

    @property
    def stopped(self) -> bool:
        """Return whether it has no answer because the person stopped the run."""
        return self.error_kind == Stopped.__name__

    def to_log(self) -> Logged | None:
        """Return the answer, to keep for a replay; None if there is none."""
        if self.answer is None:
            return None
        fields = {name: getattr(self, name) for name in Logged._fields if name != "prompt_hash"}
        return Logged(prompt_hash(self.prompt), **fields)


class Logged(NamedTuple):
    """An answer worth keeping, and the hash of the prompt that it belongs to."""

    prompt_hash: str
    answer: str
    satisfied: bool = True
    reply: str | None = None
    output_tokens: int = 0
    finish_reason: str | None = None
    seconds: float = 0.0
    reported_prompt_tokens: int | None = None
    reasoning: str = ""
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    written_tokens: int | None = None

    def fields(self) -> dict[str, Any]:
        """Return its fields that a `CallRecord` has too."""
        return {name: value for name, value in self._asdict().items() if name != "prompt_hash"}


Log = Mapping[int, Logged]


def prompt_hash(prompt: Prompt) -> str:
    """Hash a prompt, to match an answer in a log to it; a changed prompt is sent again."""
    return hashlib.sha256(prompt.text.encode("utf-8", "surrogatepass")).hexdigest()


MOST_CHARACTERS = 20_000_000


class AnswerCache:
    """The latest answers of one person, by model, form and prompt, of which the oldest go first."""

    def __init__(self, most_characters: int = MOST_CHARACTERS) -> None:
        self._most = most_characters
        self._size = 0
        self._kept: OrderedDict[str, Logged] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Logged | None:
        """Return the answer kept under this key."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def prompts(self, identity: str) -> set[str]:
        """Return the hashes of prompts to which this model's answers are kept, in whatever form."""
        with self._lock:
            parted = [key.rpartition("\n") for key in self._kept if key.startswith(f"{identity}\n")]
        return {prompt for _, _, prompt in parted}

    def put(self, key: str, answer: Logged) -> None:
        """Keep an answer."""
        with self._lock:
            old = self._kept.pop(key, None)
            self._size += _size(answer) - (_size(old) if old else 0)
            self._kept[key] = answer
            while self._size > self._most and self._kept:
                self._size -= _size(self._kept.popitem(last=False)[1])


class AskedAnew(AnswerCache):
    """Gives no answer, so that each prompt is sent, and puts the new ones into another cache."""

    def __init__(self, cache: AnswerCache) -> None:
        super().__init__()
        self._cache = cache

    @override
    def put(self, key: str, answer: Logged) -> None:
        self._cache.put(key, answer)


def _size(answer: Logged) -> int:
    return len(answer.answer) + len(answer.reply or "")


_REST = ("reasoning_room", "reserved", "padding", "free")  # the segments after the prompt
_TEMPLATE = (SpanKind.SYSTEM, SpanKind.TEMPLATE)  # the kinds that are one part


@dataclass(frozen=True)
class Budget:
    """The window of one call, in tokens.

    `parts` are those of the prompt by kind, none negative; what joining adds or saves is counted
    with the template. `reserved` is the room for the answer, `reasoning_room` that for the
    `reasoning` before it. `free` is 0 where the call is `over` the window.
    """

    parts: Mapping[str, int]
    reserved: int
    padding: int
    free: int
    over: int
    window: int
    reasoning: int = 0
    reasoning_room: int = 0

    @property
    def prompt(self) -> int:
        """Count the tokens of the prompt."""
        return sum(self.parts.values())

    def tokens(self, segment: str) -> int:
        """Return the tokens of a kind of text, or those of a part after the prompt."""
        if segment in _REST:
            return int(getattr(self, segment))
        return self.parts.get(segment, 0)


def budget(call: PlannedCall | CallRecord, setup: Setup) -> Budget:
    """Return the budget of a call, under the tokenizer of its run."""
    counts = Counter[str]()
    for span in call.prompt.read_by(setup.tokenizer):
        if span.kind not in _TEMPLATE:
            counts[_part(span)] += setup.tokenizer.count(str(span.text))
    frame = counts[SpanKind.FRAME] + call.prompt.extra_tokens(setup.tokenizer)
    values: dict[str, int] = {kind: counts[kind] for kind in VALUES}
    template = call.prompt_tokens - frame - sum(values.values())
    for largest in sorted(values, key=values.__getitem__, reverse=True):
        moved = min(max(-template, 0), values[largest])
        values[largest] -= moved
        template += moved
    left = setup.context_window - call.prompt_tokens - setup.most_output
    padding = min(call.padding, max(left, 0))
    return Budget(
        parts={SpanKind.FRAME: frame, SpanKind.TEMPLATE: template, **values},
        reserved=setup.num_output,
        padding=padding,
        free=max(left, 0) - padding,
        over=max(-left, 0),
        window=setup.context_window,
        reasoning=reasoning_count(call, setup.tokenizer),
        reasoning_room=setup.reasoning_output,
    )


def reasoning_count(call: PlannedCall | CallRecord, tokenizer: Tokenizer) -> int:
    """Count the tokens of its reasoning: as the server does, else as we do."""
    if isinstance(call, PlannedCall):
        return call.reasoning_tokens
    if call.reasoning_tokens or not call.reasoning:
        return call.reasoning_tokens or 0
    return tokenizer.count(call.reasoning)


def cached_by_kind(call: PlannedCall | CallRecord, tokenizer: Tokenizer) -> Counter[str]:
    """Count those tokens of a prompt by kind that the server had read before: its first ones."""
    left = call.cached_tokens or 0
    counts = Counter[str]()
    for span in call.prompt.read_by(tokenizer):
        tokens = min(left, tokenizer.count(str(span.text)))
        counts[_part(span)] += tokens
        left -= tokens
    return counts


def _part(span: Span) -> SpanKind:
    if span.kind == SpanKind.CONTEXT and any(one.kind == "answer" for one in span.text.origins):
        return SpanKind.ANSWER
    return SpanKind.TEMPLATE if span.kind in _TEMPLATE else span.kind
