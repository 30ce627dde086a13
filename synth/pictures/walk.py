"""A run step by step: a call, or the calls of a level of a tree."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from synth.lazy import defer
from synth.modes.registry import mode_facts
from synth.pictures.call_bars import State, state_of
from synth.runs.calls import CallRecord, Setup
from synth.runs.trace import Trace
from synth.text.diff import Diff, word_diff
from synth.text.spans import Origin

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


@dataclass(frozen=True)
class StepCall:
    """A call of a step, with the pieces of chunks and the answers of the calls that it reads.

    With `refines` it reads one answer, which it was to give again, and better.
    """

    call: CallRecord
    pieces: tuple[ChunkPiece, ...]
    read: tuple[CallRecord, ...]
    refines: bool

    @defer
    def diff(self) -> Diff | None:
        """Compare its answer with the one that it refines; None where there is none of either."""
        if not self.refines or self.call.answer is None:
            return None
        return word_diff(self.read[0].answer or "", self.call.answer)


@dataclass(frozen=True)
class Step:
    """One step of `total`: a call, or those of a level of a tree, which go out together."""

    number: int
    total: int
    calls: tuple[StepCall, ...]

    def call(self, number: int) -> StepCall:
        """Return the call of this number, or the first one."""
        return next((one for one in self.calls if one.call.number == number), self.calls[0])


def steps_of(trace: Trace) -> list[Step]:
    """Return the steps of a run, also of one that ended early."""
    levels = [list(level) for _, level in groupby(trace.calls, key=lambda call: call.depth)]
    chain = len(levels) == len(trace.calls)
    if mode_facts(trace.setup.mode).response_source == "all_answers":
        levels = [[call] for call in trace.calls]
    answered = {call.number: call for call in trace.calls if call.answer is not None}
    return [
        Step(
            number,
            len(levels),
            tuple(_step_call(trace.setup, call, answered, chain) for call in level),
        )
        for number, level in enumerate(levels, 1)
    ]


def _step_call(
    setup: Setup, call: CallRecord, answered: Mapping[int, CallRecord], chain: bool
) -> StepCall:
    """The call with what it reads, each once, even if a template holds it twice."""
    chunks = dict.fromkeys(origin for origin in call.origins if origin.kind == "chunk")
    numbers = dict.fromkeys(one.number for one in call.origins if one.kind == "answer")
    read = tuple(answered[number] for number in numbers if number in answered)
    pieces = tuple(_piece(setup, origin) for origin in chunks)
    return StepCall(call, pieces, read, chain and len(read) == 1)


def _piece(setup: Setup, origin: Origin) -> ChunkPiece:
    """The piece of this origin; one that lacks only white space is the whole chunk."""
    whole = setup.chunks[origin.number - 1]
    text = whole[origin.start : origin.end]
    part = _PARTS[not whole[: origin.start].strip(), not whole[origin.end :].strip()]
    return ChunkPiece(origin.number, part, text, setup.tokenizer.count(text))


def call_states(steps: Iterable[Step], number: int) -> dict[int, State]:
    """Return the states of all calls after step `number`: calls of later steps wait."""
    return {
        one.call.number: "waiting" if step.number > number else state_of(one.call)
        for step in steps
        for one in step.calls
    }
