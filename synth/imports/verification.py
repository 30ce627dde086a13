"""Our engine beside a recording: does it send the same prompts?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synth.calls import CallRecord
from synth.errors import SynthError
from synth.steps import Answer, Call, Done, Steps, advance


@dataclass(frozen=True)
class Difference:
    """The first call that our engine makes otherwise: its number, and both prompts.

    A prompt is None where that side makes no such call.
    """

    number: int
    recorded: str | None
    ours: str | None


@dataclass(frozen=True)
class Verification:
    """Whether our engine sends the recorded prompts: how many are equal, and what is not.

    `problem` says why a comparison could not go on, though no prompt differed.
    """

    calls: int
    first_difference: Difference | None = None
    problem: str | None = None

    @property
    def equal(self) -> bool:
        """Whether all prompts are equal to those that were sent."""
        return self.first_difference is None and self.problem is None


def verify(steps: Steps, recorded: Sequence[CallRecord]) -> Verification:
    """Step through a mode with the recorded answers, up to the first prompt that differs."""
    answers: list[Answer] | None = None
    done = 0
    try:
        while not isinstance(batch := advance(steps, answers), Done):
            for number, call in enumerate(batch, done + 1):
                if difference := _difference(number, call, recorded):
                    return Verification(number - 1, difference)
            records = recorded[done : done + len(batch)]
            done += len(batch)
            missing = [record.number for record in records if record.answer is None]
            if missing:
                problem = None if done == len(recorded) else _no_answer(missing[0])
                return Verification(done, problem=problem)
            answers = [
                Answer(record.number, record.answer or "", record.satisfied) for record in records
            ]
    except SynthError as problem:
        return Verification(done, problem=str(problem))
    if done < len(recorded):
        return Verification(done, Difference(done + 1, recorded[done].prompt.text, None))
    return Verification(done)


def _difference(number: int, call: Call, recorded: Sequence[CallRecord]) -> Difference | None:
    ours = call.prompt.text
    theirs = recorded[number - 1].prompt.text if number <= len(recorded) else None
    return None if ours == theirs else Difference(number, theirs, ours)


def _no_answer(number: int) -> str:
    return (
        f"The trace has no answer to call {number}, so the prompts after it can't be compared:"
        " record the run with whole answers."
    )
