"""A call as a bar: its outline is the window, its parts are what the prompt and the answer take."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from synth.lazy import defer
from synth.pictures.scene import MEANINGS, Target
from synth.runs.budget import Budget, budget, cached_by_kind
from synth.runs.calls import CallRecord, PlacedCall, PlannedCall, Setup
from synth.text.spans import Origin, SourceKind
from synth.text.tokenizer import Tokenizer
from synth.text.wording import short

Call = PlannedCall | CallRecord
C = TypeVar("C", bound=PlacedCall)
State = Literal["waiting", "running", "done", "failed", "cached"]
BarState = Literal["planned"] | State
STATE_SIGNS: Mapping[BarState, str] = {"failed": "✕", "cached": "↺"}
"""The signs of calls whose state is more than a pattern."""
Shape = Literal["tree", "chain", "fan"]

_MEANING: Mapping[SourceKind, str] = {"chunk": "context", "answer": "answer"}
_CARRIED = ("answer", "context")


class BarPart(NamedTuple):
    """Tokens `start` to `end` of a window, and the `origin` of their text, where it has one.

    The kind "output" is the call's own answer.
    """

    kind: str
    start: float
    end: float
    origin: Origin | None = None

    @property
    def meaning(self) -> str:
        """Return the meaning that gives it its colours."""
        return "answer" if self.kind == "output" else self.kind

    @property
    def source(self) -> Target | None:
        """Return the chunk or the call whose text it is, if it has an origin."""
        if self.origin is None:
            return None
        return "chunk" if self.origin.kind == "chunk" else "call", self.origin.number


@dataclass(frozen=True)
class CallBar:
    """A call, where the tokens of its window go, and its state.

    `length` is that of its answer in characters, as far as later calls tell of one that is planned.
    `cached` are the stretches of its window that the server had read before.
    """

    call: Call
    budget: Budget
    parts: tuple[BarPart, ...]
    state: BarState
    length: int
    cached: tuple[tuple[float, float], ...] = ()

    @property
    def number(self) -> int:
        """Return the number of the call."""
        return self.call.number

    @property
    def needed(self) -> float:
        """Count the tokens of the prompt and of the answer, or of the room for it."""
        return max((part.end for part in self.parts if part.kind not in _REST), default=0)

    @property
    def planned(self) -> bool:
        """Return whether its answer is assumed."""
        return isinstance(self.call, PlannedCall)

    @defer
    def reads(self) -> tuple[int, ...]:
        """Return the calls whose answers it carries."""
        return self._sources("answer")

    @defer
    def chunks(self) -> tuple[int, ...]:
        """Return the chunks that it carries text of."""
        return self._sources("chunk")

    def _sources(self, kind: SourceKind) -> tuple[int, ...]:
        origins = (part.origin for part in self.parts if part.origin is not None)
        return tuple(dict.fromkeys(one.number for one in origins if one.kind == kind))

    @defer
    def output(self) -> tuple[float, float]:
        """Return the tokens of its window in which its answer stands, or would stand."""
        for part in self.parts:
            if part.kind == "output":
                return part.start, part.end
        start = next((part.start for part in self.parts if part.kind == "reserved"), self.needed)
        answer = self.call.output_tokens - (self.call.reasoning_tokens or 0)
        return start, start + min(answer, self.budget.reserved)

    def share(self, origin: Origin) -> tuple[float, float]:
        """Return the tokens of its window in which this piece of its answer stands."""
        start, end = self.output
        rate = (end - start) / max(self.length, 1)
        first, last = min(origin.start, self.length), min(origin.end, self.length)
        return start + rate * first, start + rate * last

    @property
    def name(self) -> str:
        """Return its number and its template."""
        return f"call {self.number} · {self.call.template.removesuffix('_template')}"

    @property
    def arithmetic(self) -> str:
        """Return the sum of the segments that makes up the window, on two lines."""
        kinds = [kind for kind in MEANINGS if self.budget.tokens(kind)]
        terms = " + ".join(f"{MEANINGS[one].short} {self.budget.tokens(one):,}" for one in kinds)
        over = f" + {self.budget.over:,} over" if self.budget.over else ""
        return f"{short(self.name, 30)}: {terms}\n= window {self.budget.window:,}{over}"


_REST = ("padding", "free")


def state_of(call: CallRecord) -> State:
    """Return the state of a call that has begun."""
    if call.answer is None:
        return "failed" if call.error is not None else "running"
    return "cached" if call.replayed else "done"


def list_neighbours(calls: Sequence[C], number: int, most: int) -> Sequence[C]:
    """Return at most so many calls in their order, around the one of this number."""
    before = sum(call.number < number for call in calls)
    first = max(0, min(before - most // 2, len(calls) - most))
    return calls[first : first + most]


def call_bars(
    calls: Sequence[Call], setup: Setup, states: Mapping[int, State] | None = None
) -> list[CallBar]:
    """Return a bar for each call; `states` are those that differ from the calls' own."""
    lengths = _answer_lengths(calls)
    bars = []
    for call in calls:
        own: BarState = "planned" if isinstance(call, PlannedCall) else state_of(call)
        state = (states or {}).get(call.number, own)
        tokens = budget(call, setup)
        segments = tuple(_segments(call, tokens, state))
        cached = tuple(_cached(call, segments, setup.tokenizer)) if call.cached_tokens else ()
        bars.append(CallBar(call, tokens, segments, state, lengths.get(call.number, 0), cached))
    return bars


def shape_of(bars: Sequence[CallBar]) -> Shape:
    """Return "chain" if each call waits for the one before, "fan" if none waits, else "tree"."""
    depths = [bar.call.depth for bar in bars]
    if not any(depths):
        return "fan"
    merging = any(len(bar.reads) > 1 for bar in bars)
    return "tree" if merging or len(set(depths)) < len(depths) else "chain"


def _segments(call: Call, tokens: Budget, state: BarState) -> Iterator[BarPart]:
    """The template and the values, what is carried, in its order, the room for the answer."""
    at = 0.0
    origins = [*dict.fromkeys(call.origins)]  # once, even if its template has the text twice
    for kind in (kind for kind in tokens.parts if kind not in _CARRIED):
        yield from _part(kind, at, tokens.tokens(kind))
        at += tokens.tokens(kind)
    characters: dict[str, int] = defaultdict(int)
    for origin in origins:
        characters[_MEANING[origin.kind]] += origin.end - origin.start
    for meaning in _CARRIED:
        if not characters[meaning]:  # text of a kind that has no origin
            yield from _part(meaning, at, tokens.tokens(meaning))
            at += tokens.tokens(meaning)
    for origin in origins:
        meaning = _MEANING[origin.kind]
        share = (origin.end - origin.start) / (characters[meaning] or 1)
        size = tokens.tokens(meaning) * share
        yield from _part(meaning, at, size, origin)
        at += size
    rooms: dict[str, float] = {"reasoning_room": tokens.reasoning_room, "reserved": tokens.reserved}
    if isinstance(call, CallRecord) and state in ("done", "cached"):
        reasoning = min(tokens.reasoning, call.output_tokens)
        yield from _part("reasoning", at, reasoning)
        yield from _part("output", at + reasoning, call.output_tokens - reasoning)
        at += call.output_tokens
        unused = max(sum(rooms.values()) - call.output_tokens, 0)
        of_reasoning = min(max(tokens.reasoning_room - reasoning, 0), unused)
        rooms = {"reasoning_room": of_reasoning, "reserved": unused - of_reasoning}
    for kind, room in rooms.items():
        yield from _part(kind, at, room)
        at += room
    left = max(tokens.window - at, 0)
    padding = min(tokens.padding, left)
    yield from _part("padding", at, padding)
    yield from _part("free", at + padding, left - padding)


def _cached(
    call: Call, parts: Sequence[BarPart], tokenizer: Tokenizer
) -> Iterator[tuple[float, float]]:
    """How much of the parts of each kind was cached: in the window, a kind stands in one place."""
    for kind, tokens in cached_by_kind(call, tokenizer).items():
        starts = [part.start for part in parts if part.kind == kind]
        if starts and tokens:
            yield min(starts), min(starts) + tokens


def _part(
    kind: str, start: float, tokens: float, origin: Origin | None = None
) -> Iterator[BarPart]:
    if tokens > 0:
        yield BarPart(kind, start, start + tokens, origin)


def _answer_lengths(calls: Sequence[Call]) -> dict[int, int]:
    """Characters of each answer; an assumed one ends at the last character that a call carries."""
    lengths: dict[int, int] = defaultdict(int)
    for call in calls:
        for origin in call.origins:
            if origin.kind == "answer":
                lengths[origin.number] = max(lengths[origin.number], origin.end)
    for call in calls:
        if isinstance(call, CallRecord) and call.answer is not None:
            lengths[call.number] = len(call.answer)
    return lengths


def meanings_of(bars: Sequence[CallBar]) -> list[str]:
    """Return the meanings that a key of these bars names, in their order."""
    there = {part.meaning for bar in bars for part in bar.parts}
    cached = ["cached"] if any(bar.cached for bar in bars) else []
    return [meaning for meaning in MEANINGS if meaning in there] + cached
