"""What a mode says of itself, so that nothing outside these modules must know it by name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

Goal = Literal["detail", "summary", "per_chunk", "cheapest", "fastest"]
ResponseSource = Literal["last_answer", "all_answers", "chunks", "nothing", "other"]


@dataclass(frozen=True)
class ModeFacts:
    """What is known of a mode's algorithm, or a careful value where it says nothing of itself."""

    goals: Mapping[Goal, int] = field(default_factory=dict)
    """The adviser's goals that it suits, each with its rank; 1 is the first choice.

    For the cheapest and the fastest mode the plans decide, and the rank only between equals.
    """
    response_source: ResponseSource = "other"
    """What its response is: the last answer that says something, all answers in a list, the
    chunks, no text at all, or something else."""
    sends_chunks: bool = True  # whether its prompts carry chunk text
    drops_excess: bool = False  # whether it never sends chunk text that does not fit its one call
    may_never_end: bool = False  # whether long answers can keep it from ending


class _HasFacts(Protocol):
    facts: ClassVar[ModeFacts]


def facts_of(kind: type[_HasFacts]) -> ModeFacts:
    """The facts of a mode; the careful ones where it changes another mode and says none."""
    return kind.facts if said_with(kind, "facts", "steps", "pack") else ModeFacts()


def said_with(kind: type, name: str, *methods: str) -> bool:
    """Whether a class has `name` from where it has these methods, so that it is still true."""
    nearest = next(one for one in kind.__mro__ if {name, *methods} & vars(one).keys())
    return name in vars(nearest)
