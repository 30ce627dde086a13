"""The data of a flow, without geometry: which tokens of which chunk or answer go where.

Origins are in characters; here they become tokens, spread evenly over the characters of
their source.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from synth.modes.registry import mode_facts
from synth.runs.calls import CallRecord, PlannedCall, Setup
from synth.runs.coverage import CoverageKind, coverage
from synth.runs.trace import Plan, Trace
from synth.text.spans import Origin, SourceKind

Calls = Sequence[PlannedCall | CallRecord]
FlowShape = Literal["tree", "chain", "fan"]


class Part(NamedTuple):
    """Tokens `start` to `end` of a chunk, or of the answer of a call."""

    kind: SourceKind
    number: int
    start: float
    end: float


@dataclass(frozen=True)
class FlowCall:
    """A call: the parts that it carries, and the tokens of its answer."""

    number: int
    depth: int
    parts: tuple[Part, ...]
    output: int

    def tokens(self, *kinds: SourceKind) -> float:
        """Tokens that it carries of chunks, of answers, or of both."""
        return sum(part.end - part.start for part in self.parts if part.kind in kinds)

    @property
    def reads(self) -> tuple[int, ...]:
        """The calls whose answers it carries."""
        answers = (part.number for part in self.parts if part.kind == "answer")
        return tuple(dict.fromkeys(answers))


@dataclass(frozen=True)
class FlowData:
    """The tokens of each chunk, the calls, and the parts of chunks that no call carries.

    `unsent` are the tokens of those parts, counted and not spread. `unread` are the parts that the
    server cut off. `listed`: the mode returns all answers, as a list. `ends`: the calls lead to the
    response, and none follows.
    """

    chunks: tuple[int, ...]
    calls: tuple[FlowCall, ...]
    lost: tuple[Part, ...]
    unsent: int
    unread: tuple[Part, ...] = ()
    listed: bool = False
    ends: bool = True

    @property
    def shape(self) -> FlowShape:
        """A chain if each call waits for the one before, a fan if none waits, else a tree."""
        depths = [call.depth for call in self.calls]
        if not any(depths):
            return "fan"
        merging = any(len(call.reads) > 1 for call in self.calls)
        return "tree" if merging or len(set(depths)) < len(depths) else "chain"

    def lineage(self, number: int) -> set[int]:
        """A call, and every call whose answer went into it."""
        reads = {call.number: call.reads for call in self.calls}
        lineage: set[int] = set()
        todo = [number] if number in reads else []
        while todo:
            call = todo.pop()
            if call not in lineage:
                lineage.add(call)
                todo += reads.get(call, ())
        return lineage


@dataclass(frozen=True)
class Mark:
    """The way of a fact through a run that has ended.

    `chunks` have the fact `name`, and it went through `calls`. The answer of the call `end` has
    it no more; `sign` says so, as in "lost here".
    """

    name: str
    chunks: frozenset[int]
    calls: frozenset[int] = frozenset()
    end: int | None = None
    sign: str = ""

    def lights(self, kind: str, number: int) -> bool:
        """Whether the fact went through this chunk, call or answer."""
        return number in (self.chunks if kind == "chunk" else self.calls)


def flow_of(run: Plan | Trace) -> FlowData:
    """The data of a whole plan or run; one that stops early does not lead to the response."""
    ends = run.problem is None if isinstance(run, Plan) else run.response is not None
    return replace(flow_data(run.calls, run.setup, run.unread), ends=ends)


def flow_data(
    calls: Calls, setup: Setup, unread: Mapping[int, tuple[Origin, ...]] | None = None
) -> FlowData:
    """The calls' origins as parts in tokens; `unread` as in `synth.runs.coverage.coverage`."""
    chunks = tuple(setup.tokenizer.count(chunk) for chunk in setup.chunks)
    outputs = {call.number: call.output_tokens for call in calls}
    rates: dict[tuple[SourceKind, int], float] = {
        ("answer", number): outputs.get(number, 0) / max(1, length)
        for number, length in _answer_lengths(calls).items()
    }
    for number, (tokens, chunk) in enumerate(zip(chunks, setup.chunks, strict=True), 1):
        rates["chunk", number] = tokens / max(1, len(chunk))
    sent = coverage(setup, calls, unread)

    def parts(kind: CoverageKind) -> tuple[Part, ...]:
        return tuple(
            _part("chunk", chunk.number, stretch.start, stretch.end, rates)
            for chunk in sent
            for stretch in chunk.stretches
            if chunk.kind(stretch) == kind
        )

    return FlowData(
        chunks,
        tuple(
            FlowCall(call.number, call.depth, _parts(call, rates), call.output_tokens)
            for call in calls
        ),
        parts("lost"),
        sum(chunk.lost_tokens for chunk in sent),
        parts("unread"),
        mode_facts(setup.mode).response_source == "all_answers",
    )


def _answer_lengths(calls: Calls) -> dict[int, int]:
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


def _parts(
    call: PlannedCall | CallRecord, rates: dict[tuple[SourceKind, int], float]
) -> tuple[Part, ...]:
    """The parts that a call carries, each once even if its template holds the text twice."""
    merged: dict[tuple[SourceKind, int], list[tuple[int, int]]] = defaultdict(list)
    for kind, number, start, end in call.origins:
        stretches = merged[kind, number]
        overlaps = [(a, b) for a, b in stretches if a <= end and start <= b]
        for overlap in overlaps:
            stretches.remove(overlap)
        low, high = zip(*overlaps, (start, end), strict=True)
        stretches.append((min(low), max(high)))
    return tuple(
        _part(kind, number, start, end, rates)
        for (kind, number), stretches in merged.items()
        for start, end in sorted(stretches)
    )


def _part(
    kind: SourceKind,
    number: int,
    start: int,
    end: int,
    rates: dict[tuple[SourceKind, int], float],
) -> Part:
    rate = rates.get((kind, number), 0.0)
    return Part(kind, number, start * rate, end * rate)
