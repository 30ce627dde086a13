"""A call as a bar: its outline is the window, its parts are what the prompt and the answer take."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from synth.lazy import defer
from synth.pictures.scene import MEANINGS, Target
from synth.runs.calls import (
    Budget,
    CallRecord,
    PlacedCall,
    PlannedCall,
    Setup,
    budget,
    cached_by_kind,
)
from synth.text.spans import Origin, SourceKind
from synth.text.tokenizer import Tokenizer
from synth.text.wording import short

Call = PlannedCall | CallRecord
C = TypeVar("C", bound="PlacedCall | CallBar")
State = Literal["waiting", "running", "done", "failed", "cached"]
BarState = Literal["planned"] | State
STATE_SIGNS: Mapping[BarState, str] = {"failed": "✕", "cached": "↺"}
"""The signs of calls whose state is more than a pattern."""

_MEANING: Mapping[SourceKind, str] = {"chunk": "context", "answer": "answer"}
_CARRIED = ("answer", "context")


class BarPart(NamedTuple):
    """Tokens `start` to `end` of a window, and the `origin` of their text, where it has one.

    The kind "output" is the call's own answer. Texts of several chunks end with that of `last`.
    """

    kind: str
    start: float
    end: float
    origin: Origin | None = None
    last: Origin | None = None

    @property
    def meaning(self) -> str:
        """Return the meaning that gives it its colours."""
        return "answer" if self.kind == "output" else self.kind

    @property
    def source(self) -> Target | None:
        """Return the chunk or the call whose text it is, if that is one."""
        if self.origin is None or self.last is not None:
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
        terms = " + ".join(f"{MEANINGS[one]} {self.budget.tokens(one):,}" for one in kinds)
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


def _segments(call: Call, tokens: Budget, state: BarState) -> list[BarPart]:
    """The template and the values, what is carried, in its order, the room for the answer."""
    parts: list[BarPart] = []

    def add(kind: str, size: float, origin: Origin | None = None) -> None:
        if size > 0:
            start = parts[-1].end if parts else 0.0
            parts.append(BarPart(kind, start, start + size, origin))

    origins = [*dict.fromkeys(call.origins)]  # once, even if its template has the text twice
    characters: dict[str, int] = defaultdict(int)
    for origin in origins:
        characters[_MEANING[origin.kind]] += origin.end - origin.start
    for kind in tokens.parts:
        if kind not in _CARRIED:
            add(kind, tokens.tokens(kind))
    for kind in _CARRIED:
        if not characters[kind]:  # text of a kind that has no origin
            add(kind, tokens.tokens(kind))
    for origin in origins:
        kind = _MEANING[origin.kind]
        share = (origin.end - origin.start) / (characters[kind] or 1)
        add(kind, tokens.tokens(kind) * share, origin)
    reasoning_room, room = tokens.reasoning_room, tokens.reserved
    if isinstance(call, CallRecord) and state in ("done", "cached"):
        reasoning = min(tokens.reasoning, call.output_tokens)
        add("reasoning", reasoning)
        add("output", call.output_tokens - reasoning)
        unused = max(reasoning_room + room - call.output_tokens, 0)
        reasoning_room = min(max(reasoning_room - reasoning, 0), unused)
        room = unused - reasoning_room
    add("reasoning_room", reasoning_room)
    add("reserved", room)
    left = max(tokens.window - (parts[-1].end if parts else 0), 0)
    padding = min(tokens.padding, left)
    add("padding", padding)
    add("free", left - padding)
    return parts


def _cached(
    call: Call, parts: Sequence[BarPart], tokenizer: Tokenizer
) -> Iterator[tuple[float, float]]:
    """How much of the parts of each kind was cached: in the window, a kind stands in one place."""
    for kind, tokens in cached_by_kind(call, tokenizer).items():
        starts = [part.start for part in parts if part.kind == kind]
        if starts and tokens:
            yield min(starts), min(starts) + tokens


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
