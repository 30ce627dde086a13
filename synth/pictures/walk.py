"""A run step by step: a call of a chain or of a list, or a level of a tree."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from synth.lazy import defer
from synth.modes.registry import mode_facts
from synth.runs.calls import CallRecord, Setup
from synth.runs.trace import Trace
from synth.text.diff import Diff, word_diff
from synth.text.reference import is_reference
from synth.text.spans import Origin

LossKind = Literal["empty", "refers", "shorter"]
"""The kinds of loss.

The reply is empty, only refers to the answer before, or has few of the words of that answer.
"""

LEFT = 0.3
"""An answer counts as lost if it has fewer words than this share of those before."""

_QUOTED = 0.5  # a reply with this share of the old words is taken to repeat the answer


def lost_answer(reply: str, diff: Diff) -> LossKind | None:
    """Return the way in which a reply lost the answer before it; None if it did not.

    `diff` compares the two.
    """
    if not reply.strip():
        return "empty"
    before, after = diff.kept + diff.dropped, diff.kept + diff.added
    if diff.kept < _QUOTED * before and is_reference(reply):
        return "refers"
    return "shorter" if after < LEFT * before else None


# The part, by whether the piece holds the beginning of its chunk, and whether the end.
_PARTS = {(True, True): "", (True, False): "start", (False, False): "middle", (False, True): "end"}


class ChunkPiece(NamedTuple):
    """A piece of a chunk in a prompt; `part` is "" (the whole chunk), "start", "middle" or "end".

    `tokens` are those of the text.
    """

    chunk: int
    part: str
    text: str
    tokens: int

    @property
    def label(self) -> str:
        """Name the chunk and the part of it: "chunk 4", "chunk 3, end"."""
        return f"chunk {self.chunk}, {self.part}" if self.part else f"chunk {self.chunk}"


def _chunks(call: CallRecord) -> list[Origin]:
    return [origin for origin in call.origins if origin.kind == "chunk"]


def _piece(setup: Setup, origin: Origin) -> ChunkPiece:
    """The piece of this origin; one that lacks only white space is the whole chunk."""
    whole = setup.chunks[origin.number - 1]
    text = whole[origin.start : origin.end]
    part = _PARTS[not whole[: origin.start].strip(), not whole[origin.end :].strip()]
    return ChunkPiece(origin.number, part, text, setup.tokenizer.count(text))


Shape = Literal["chain", "list", "levels"]


class StepAnswer(NamedTuple):
    """The answer of the call of this number."""

    number: int
    text: str


@dataclass(frozen=True)
class Step:
    """One step of `total`: its calls, the chunk pieces that went in, the answers before and after.

    In a chain, `before` and `after` hold the answer so far; in a list, the list so far; in
    levels, the answers that the calls read and those that they gave.
    """

    shape: Shape
    number: int
    total: int
    calls: tuple[CallRecord, ...]
    pieces: tuple[ChunkPiece, ...]
    before: tuple[StepAnswer, ...]
    after: tuple[StepAnswer, ...]

    @defer
    def diff(self) -> Diff:
        """Count the words kept, added and dropped between the answers before and after."""
        sides = (self.before, self.after)
        return word_diff(*("\n\n".join(answer.text for answer in side) for side in sides))

    @defer
    def lost(self) -> LossKind | None:
        """Return the way in which the answer of a chain was lost; None if it was not."""
        if self.shape != "chain" or self.filtered or self.failed:
            return None
        return lost_answer(self.calls[0].answer or "", self.diff)

    @property
    def filtered(self) -> bool:
        """Return whether a model said that the text in its prompt does not answer the question."""
        return any(not call.satisfied for call in self.calls)

    @property
    def failed(self) -> int:
        """Return the number of calls without an answer."""
        return sum(call.answer is None for call in self.calls)

    @property
    def tokens(self) -> int:
        """Return the tokens of the chunk pieces that went in."""
        return sum(piece.tokens for piece in self.pieces)


def steps_of(trace: Trace) -> list[Step]:
    """Return the steps of a run, also of one that ended early."""
    levels = [tuple(level) for _, level in groupby(trace.calls, key=lambda call: call.depth)]
    walk = _Walk(trace)
    if mode_facts(trace.setup.mode).response_source == "all_answers":
        return list(walk.lists())
    if all(len(level) == 1 for level in levels):
        return list(walk.chain())
    return list(walk.levels(levels))


class _Walk:
    """Makes the steps of one run."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._given = {
            call.number: StepAnswer(call.number, call.answer)
            for call in trace.calls
            if call.answer is not None
        }

    def chain(self) -> Iterator[Step]:
        """Yield a step for each call of a chain, whose answer may replace the answer so far."""
        calls = self._trace.calls
        before: tuple[StepAnswer, ...] = ()
        for number, call in enumerate(calls, 1):
            after = self._after(before, call, calls[number : number + 1])
            yield Step("chain", number, len(calls), (call,), self._pieces([call]), before, after)
            before = after

    def _after(
        self, before: tuple[StepAnswer, ...], call: CallRecord, following: Sequence[CallRecord]
    ) -> tuple[StepAnswer, ...]:
        """The answer so far after a call.

        A blank reply replaces the answer only if the next call reads no answer.
        """
        if call.answer is None or not call.satisfied:
            return before
        emptied = not self._read(following) if following else self._trace.response == ""
        return self._answers([call]) if call.answer or (before and emptied) else before

    def lists(self) -> Iterator[Step]:
        """Yield a step for each call whose answer is added to the list."""
        calls = self._trace.calls
        for number, call in enumerate(calls, 1):
            before, after = self._answers(calls[: number - 1]), self._answers(calls[:number])
            yield Step("list", number, len(calls), (call,), self._pieces([call]), before, after)

    def levels(self, levels: Sequence[tuple[CallRecord, ...]]) -> Iterator[Step]:
        """Yield a step for each level of a tree, with the earlier answers that its calls read."""
        for number, calls in enumerate(levels, 1):
            before, after = self._read(calls), self._answers(calls)
            yield Step("levels", number, len(levels), calls, self._pieces(calls), before, after)

    def _pieces(self, calls: Iterable[CallRecord]) -> tuple[ChunkPiece, ...]:
        """The pieces of chunks in these calls, each once, even if a template holds it twice."""
        origins = dict.fromkeys(origin for call in calls for origin in _chunks(call))
        return tuple(_piece(self._trace.setup, origin) for origin in origins)

    def _answers(self, calls: Iterable[CallRecord]) -> tuple[StepAnswer, ...]:
        return tuple(self._given[call.number] for call in calls if call.number in self._given)

    def _read(self, calls: Iterable[CallRecord]) -> tuple[StepAnswer, ...]:
        """The earlier answers in the prompts of these calls, each whole and once."""
        origins = (origin for call in calls for origin in call.origins)
        numbers = dict.fromkeys(origin.number for origin in origins if origin.kind == "answer")
        return tuple(self._given[number] for number in numbers if number in self._given)


State = Literal["waiting", "running", "done", "failed", "cached"]


def state_of(call: CallRecord) -> State:
    """Return the state of a call that has begun."""
    if call.answer is None:
        return "failed" if call.error is not None else "running"
    return "cached" if call.replayed else "done"


def call_states(steps: Iterable[Step], number: int) -> dict[int, State]:
    """Return the states of all calls after step `number`: calls of later steps wait."""
    return {
        call.number: "waiting" if step.number > number else state_of(call)
        for step in steps
        for call in step.calls
    }
