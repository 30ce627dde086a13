"""Our engine beside a recording: does it send the same prompts?"""

from collections.abc import Sequence
from dataclasses import dataclass

from synth.errors import SynthError
from synth.runs.calls import CallRecord
from synth.runs.steps import Answer, Call, Done, Steps, advance


@dataclass(frozen=True)
class Difference:
    """The first call that synth makes otherwise, and both prompts; None where one side has none."""

    number: int
    recorded: str | None
    prompt: str | None


@dataclass(frozen=True)
class Verification:
    """How many prompts are equal, and what is not; `problem` says why no comparison went on."""

    calls: int
    first_difference: Difference | None = None
    problem: str | None = None

    @property
    def equal(self) -> bool:
        """Return whether all prompts are equal to those that were sent."""
        return self.first_difference is None and self.problem is None


def verify(steps: Steps, recorded: Sequence[CallRecord]) -> Verification:
    """Step through a mode with the recorded answers, up to the first prompt that differs."""
    answers: list[Answer] | None = None
    done = 0
    try:
        while not isinstance(batch := advance(steps, answers), Done):
            records = recorded[done : done + len(batch)]
            for call, record in zip(batch, records, strict=False):
                if call.prompt.text != record.prompt.text:
                    return _find_difference(record.number, record, call)
            done += len(records)
            missing = [record.number for record in records if record.answer is None]
            if missing:
                problem = (
                    f"The trace has no answer to call {missing[0]}, so the prompts after it can't"
                    " be compared: record the run with whole answers."
                )
                return Verification(done, problem=problem if done < len(recorded) else None)
            if len(records) < len(batch):
                return _find_difference(done + 1, None, batch[len(records)])
            answers = [
                Answer(record.number, record.answer or "", record.satisfied) for record in records
            ]
    except SynthError as problem:
        return Verification(done, problem=str(problem))
    return (
        _find_difference(done + 1, recorded[done], None)
        if done < len(recorded)
        else Verification(done)
    )


def _find_difference(number: int, record: CallRecord | None, call: Call | None) -> Verification:
    recorded = None if record is None else record.prompt.text
    prompt = None if call is None else call.prompt.text
    return Verification(number - 1, Difference(number, recorded, prompt))
