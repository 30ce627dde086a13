"""One step of a run, as data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from synth.calls import CallRecord
from ui.text.diff import Diff, word_diff
from ui.trace.chunk_pieces import Taken
from ui.trace.lost_answer import Lost, lost_answer

Shape = Literal["chain", "list", "levels"]


class Said(NamedTuple):
    """What the call of this number answered."""

    number: int
    text: str


@dataclass(frozen=True)
class Step:
    """One step of `total`: its calls, the chunk texts that went in, the answers before and after.

    Before and after are the answer so far (a chain), the list so far (a list), the answers
    that were read and those that were written (levels).
    """

    shape: Shape
    number: int
    total: int
    calls: tuple[CallRecord, ...]
    taken: tuple[Taken, ...]
    before: tuple[Said, ...]
    after: tuple[Said, ...]

    @cached_property
    def diff(self) -> Diff:
        """What became of the answer so far."""
        sides = (self.before, self.after)
        return word_diff(*("\n\n".join(said.text for said in side) for side in sides))

    @cached_property
    def lost(self) -> Lost | None:
        """How the answer of a chain was lost, if it was."""
        if self.shape != "chain" or self.filtered or self.failed:
            return None
        return lost_answer(self.calls[0].answer or "", self.diff)

    @property
    def filtered(self) -> bool:
        """Whether a model said that what it read does not answer the question."""
        return any(not call.satisfied for call in self.calls)

    @property
    def failed(self) -> int:
        """How many of the calls have no answer."""
        return sum(call.answer is None for call in self.calls)

    @property
    def tokens(self) -> int:
        """Tokens of the chunk texts that went in."""
        return sum(taken.tokens for taken in self.taken)
