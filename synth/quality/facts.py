"""Facts: what an answer should hold, each in the wordings that count."""

from __future__ import annotations

from dataclasses import dataclass

MUST_MARKS = ("*", "◆")
BETWEEN_WORDINGS = "|"


@dataclass(frozen=True)
class Fact:
    """A short statement or phrase that an answer should hold.

    A text holds the fact if `text` or one of the other `wordings` stands in it. With `must`
    an answer without it counts as a bad one, however many other facts it holds. ValueError
    if a wording has no letter and no digit, since it would be found everywhere or nowhere.
    """

    text: str
    wordings: tuple[str, ...] = ()
    must: bool = False

    def __post_init__(self) -> None:
        for wording in self.accepted:
            if not any(map(str.isalnum, wording)):
                raise ValueError(
                    f"The fact {self.line!r} has a wording without a letter or digit, "
                    f"{wording!r}. Write a word or a number there, or take the wording out."
                )

    @property
    def accepted(self) -> tuple[str, ...]:
        """All wordings that count, `text` first."""
        return (self.text, *self.wordings)

    @property
    def line(self) -> str:
        """The fact as one line, which `read_facts` reads."""
        return ("* " if self.must else "") + f" {BETWEEN_WORDINGS} ".join(self.accepted)


def read_facts(text: str) -> tuple[Fact, ...]:
    """The facts of a text with one fact a line, as "* wording | other wording".

    A star or ◆ at the start marks a fact that must arrive. Blank lines are passed over.
    ValueError for a line with an empty wording.

    >>> read_facts("* 8 instead of 80 | 8, not 80")
    (Fact(text='8 instead of 80', wordings=('8, not 80',), must=True),)
    """
    return tuple(_read_line(line.strip()) for line in text.splitlines() if line.strip())


def _read_line(line: str) -> Fact:
    must = line.startswith(MUST_MARKS)
    first, *others = (part.strip() for part in line[must:].split(BETWEEN_WORDINGS))
    return Fact(first, tuple(others), must)
