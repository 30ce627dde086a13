"""The way from a trace to its steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from synth.calls import CallRecord
from synth.response_synthesizers.registry import mode_facts
from synth.trace import Trace
from ui.trace.chunk_pieces import ChunkPiece, piece_names, pieces_in
from ui.trace.states import State, state_of
from ui.trace.steps import Step, StepAnswer


def steps_of(trace: Trace) -> list[Step]:
    """The steps of a run, also of one that ended early."""
    levels = [tuple(level) for _, level in groupby(trace.calls, key=lambda call: call.depth)]
    walk = _Walk(trace)
    if mode_facts(trace.setup.mode).response_source == "all_answers":
        return list(walk.growing())
    if all(len(level) == 1 for level in levels):
        return list(walk.chain())
    return list(walk.levels(levels))


class _Walk:
    """Makes the steps of one run."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._names = piece_names(trace.calls)
        self._given = {
            call.number: StepAnswer(call.number, call.answer)
            for call in trace.calls
            if call.answer is not None
        }

    def chain(self) -> Iterator[Step]:
        """A step for each call of a chain, whose answer may replace the answer so far."""
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

    def growing(self) -> Iterator[Step]:
        """A step for each call whose answer is added to the list."""
        calls = self._trace.calls
        for number, call in enumerate(calls, 1):
            before, after = self._answers(calls[: number - 1]), self._answers(calls[:number])
            yield Step("list", number, len(calls), (call,), self._pieces([call]), before, after)

    def levels(self, levels: Sequence[tuple[CallRecord, ...]]) -> Iterator[Step]:
        """A step for each level of a tree, with the earlier answers that its calls read."""
        for number, calls in enumerate(levels, 1):
            before, after = self._read(calls), self._answers(calls)
            yield Step("levels", number, len(levels), calls, self._pieces(calls), before, after)

    def _pieces(self, calls: Iterable[CallRecord]) -> tuple[ChunkPiece, ...]:
        return pieces_in(self._trace.setup, calls, self._names)

    def _answers(self, calls: Iterable[CallRecord]) -> tuple[StepAnswer, ...]:
        return tuple(self._given[call.number] for call in calls if call.number in self._given)

    def _read(self, calls: Iterable[CallRecord]) -> tuple[StepAnswer, ...]:
        """The earlier answers in the prompts of these calls, each whole and once."""
        origins = (origin for call in calls for origin in call.origins)
        numbers = dict.fromkeys(origin.number for origin in origins if origin.kind == "answer")
        return tuple(self._given[number] for number in numbers if number in self._given)


def call_states(steps: Iterable[Step], number: int) -> dict[int, State]:
    """The states of all calls after step `number`: calls of later steps wait."""
    return {
        call.number: "waiting" if step.number > number else state_of(call)
        for step in steps
        for call in step.calls
    }
