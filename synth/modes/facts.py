"""What a mode says of itself, so that nothing outside these modules must know it by name."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

ResponseSource = Literal["last_answer", "all_answers", "chunks", "nothing", "other"]


@dataclass(frozen=True)
class ModeFacts:
    """What is known of a mode's algorithm, or a careful value where it says nothing of itself."""

    response_source: ResponseSource = "other"
    """What its response is: the last answer that says something, all answers in a list, the
    chunks, no text at all, or something else."""
    sends_chunks: bool = True  # whether its prompts carry chunk text
    may_never_end: bool = False  # whether long answers can keep it from ending


class _HasFacts(Protocol):
    facts: ClassVar[ModeFacts]


def facts_of(kind: type[_HasFacts]) -> ModeFacts:
    """Return the facts of a mode; the careful ones where it changes another mode and says none."""
    return kind.facts if comes_with(kind, "facts", "steps", "pack") else ModeFacts()


def comes_with(kind: type, name: str, *methods: str) -> bool:
    """Return whether a class has `name` from where it has these methods: it is still true."""
    nearest = next(one for one in kind.__mro__ if {name, *methods} & vars(one).keys())
    return name in vars(nearest)
