"""Facts: what an answer should hold, each in the wordings that count."""

from dataclasses import dataclass
from typing import ClassVar

from pydantic import ConfigDict

from synth.errors import short

MUST_MARKS = ("*", "◆")
BETWEEN_WORDINGS = "|"
MOST_FACTS = 100  # of one question
MOST_WORDINGS = 50  # of one fact
MOST_CHARACTERS = 1_000  # of one wording


@dataclass(frozen=True)
class Fact:
    """A short statement or phrase that an answer should hold.

    A text holds the fact if `text` or one of the other `wordings` stands in it. With `must`
    an answer without it counts as a bad one, however many other facts it holds. ValueError
    if a wording has no letter and no digit, since it would be found everywhere or nowhere, if it
    is longer than `MOST_CHARACTERS`, and for more than `MOST_WORDINGS`.
    """

    text: str
    wordings: tuple[str, ...] = ()
    must: bool = False
    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}  # where a file has it

    def __post_init__(self) -> None:
        fact, count = f"The fact {short(self.line, 100)!r} has", len(self.accepted)
        if count > MOST_WORDINGS:
            raise ValueError(
                f"{fact} {count:,} wordings, and {MOST_WORDINGS} is the limit: make several facts."
            )
        for wording in self.accepted:
            if len(wording) > MOST_CHARACTERS:
                raise ValueError(
                    f"{fact} a wording of {len(wording):,} characters, and {MOST_CHARACTERS:,} is"
                    " the limit: write a shorter one."
                )
            if not any(map(str.isalnum, wording)):
                raise ValueError(
                    f"{fact} a wording without a letter or digit, {wording!r}. Write a word or a"
                    " number there, or take the wording out."
                )

    @property
    def accepted(self) -> tuple[str, ...]:
        """List all wordings that count, `text` first."""
        return (self.text, *self.wordings)

    @property
    def line(self) -> str:
        """Write the fact as one line, which `read_facts` reads."""
        return ("* " if self.must else "") + f" {BETWEEN_WORDINGS} ".join(self.accepted)


def read_facts(text: str) -> tuple[Fact, ...]:
    """Read a text with one fact a line, as "* wording | other wording".

    A star or ◆ at the start marks a fact that must arrive. ValueError for a line with an empty
    wording, and for more than `MOST_FACTS` lines.

    >>> read_facts("* 8 instead of 80 | 8, not 80")
    (Fact(text='8 instead of 80', wordings=('8, not 80',), must=True),)
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_FACTS:
        raise ValueError(f"There are {len(lines):,} facts, and {MOST_FACTS} is the limit.")
    return tuple(map(_read_line, lines))


def _read_line(line: str) -> Fact:
    must = line.startswith(MUST_MARKS)
    first, *others = (part.strip() for part in line[must:].split(BETWEEN_WORDINGS))
    return Fact(first, tuple(others), must)
