"""From a trace to its steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from synth.calls import CallRecord
from synth.response_synthesizers.registry import mode_class
from synth.trace import Trace
from ui.trace.chunk_pieces import ChunkPiece, piece_names, pieces_in
from ui.trace.states import State, state_of
from ui.trace.steps import Step, StepAnswer


def steps_of(trace: Trace) -> list[Step]:
    """The steps of a run, as far as it went."""
    levels = [tuple(level) for _, level in groupby(trace.calls, key=lambda call: call.depth)]
    walk = _Walk(trace)
    if mode_class(trace.setup.mode).response_source == "all_answers":
        return list(walk.growing())
    if all(len(level) == 1 for level in levels):
        return list(walk.chain())
    return list(walk.levels(levels))


class _Walk:
    """The making of the steps of one run."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._names = piece_names(trace.calls)
        self._said = {
            call.number: StepAnswer(call.number, call.answer)
            for call in trace.calls
            if call.answer is not None
        }

    def chain(self) -> Iterator[Step]:
        """Calls that each may replace the answer so far."""
        calls = self._trace.calls
        before: tuple[StepAnswer, ...] = ()
        for at, call in enumerate(calls, 1):
            after = self._after(before, call, calls[at : at + 1])
            yield Step("chain", at, len(calls), (call,), self._pieces([call]), before, after)
            before = after

    def _after(
        self, before: tuple[StepAnswer, ...], call: CallRecord, following: Sequence[CallRecord]
    ) -> tuple[StepAnswer, ...]:
        """The answer so far; a blank reply takes its place only if the next call reads none."""
        if call.answer is None or not call.satisfied:
            return before
        emptied = not self._read(following) if following else self._trace.response == ""
        return self._answers([call]) if call.answer or (before and emptied) else before

    def growing(self) -> Iterator[Step]:
        """Calls whose answers are put at the end of the list."""
        calls = self._trace.calls
        for at, call in enumerate(calls, 1):
            before, after = self._answers(calls[: at - 1]), self._answers(calls[:at])
            yield Step("list", at, len(calls), (call,), self._pieces([call]), before, after)

    def levels(self, levels: Sequence[tuple[CallRecord, ...]]) -> Iterator[Step]:
        """The calls of each level, and the earlier answers that they read."""
        for at, calls in enumerate(levels, 1):
            before, after = self._read(calls), self._answers(calls)
            yield Step("levels", at, len(levels), calls, self._pieces(calls), before, after)

    def _pieces(self, calls: Iterable[CallRecord]) -> tuple[ChunkPiece, ...]:
        return pieces_in(self._trace.setup, calls, self._names)

    def _answers(self, calls: Iterable[CallRecord]) -> tuple[StepAnswer, ...]:
        return tuple(self._said[call.number] for call in calls if call.number in self._said)

    def _read(self, calls: Iterable[CallRecord]) -> tuple[StepAnswer, ...]:
        """The earlier answers that stand in the prompts, whole and once each."""
        origins = (origin for call in calls for origin in call.origins)
        numbers = dict.fromkeys(one.number for one in origins if one.kind == "answer")
        return tuple(self._said[number] for number in numbers if number in self._said)


def call_states(steps: Iterable[Step], number: int) -> dict[int, State]:
    """The states of all calls once step `number` is done, for the flow to fill up."""
    return {
        call.number: "waiting" if step.number > number else state_of(call)
        for step in steps
        for call in step.calls
    }
