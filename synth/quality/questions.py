"""Questions with what is expected of their answers, as frozen data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from synth.errors import QuestionSetError
from synth.modes.inputs import RESERVED
from synth.quality.checks import Check
from synth.quality.facts import MOST_FACTS, Fact

MOST_QUESTIONS = 1_000
MOST_EXPECTED = MOST_FACTS  # facts of one question, and checks of one


@dataclass(frozen=True)
class Question:
    """A question, and what is expected of its answer.

    `left_out` names what its file expects and is not computed here, such as "llm-rubric".
    `variables` fill the templates. `chunks` are the question's own; without them it is asked of
    the chunks that all questions share. QuestionSetError for a blank query, too many facts or
    checks, and a variable with a name that this package uses itself.
    """

    query: str
    variables: Mapping[str, str] = field(default_factory=dict, hash=False)
    chunks: tuple[str, ...] | None = None
    facts: tuple[Fact, ...] = ()
    checks: tuple[Check, ...] = ()
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.query.strip():
            raise QuestionSetError("The question is blank: write one.")
        require_few("facts", self.facts)
        require_few("checks", self.checks)
        if taken := sorted(self.variables.keys() & RESERVED):
            raise QuestionSetError(
                f"The variable {taken[0]} has a name that this package uses itself: rename it."
            )


def require_few(noun: str, expected: Sequence[object]) -> None:
    """Raise QuestionSetError for more facts or checks of a question than are read."""
    if len(expected) > MOST_EXPECTED:
        raise QuestionSetError(
            f"The question has {len(expected):,} {noun}, and {MOST_EXPECTED} is the limit:"
            " split it into several questions."
        )


@dataclass(frozen=True)
class QuestionSet:
    """The questions that are asked of each mode; QuestionSetError for none or too many."""

    questions: tuple[Question, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.questions) <= MOST_QUESTIONS:
            raise QuestionSetError(
                f"There are {len(self.questions):,} questions: give 1 to {MOST_QUESTIONS:,}."
            )
