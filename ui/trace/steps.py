"""The steps of a run: a call of a chain or of a list, or a level of a tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from synth.calls import CallRecord
from ui.text.diff import Diff, word_diff
from ui.trace.chunk_pieces import ChunkPiece

LossKind = Literal["empty", "refers", "shorter"]
"""The reply is empty; it only refers to the answer before; it has few of its words."""

LEFT = 0.3
"""The share of the words before, below which an answer counts as lost."""

_QUOTED = 0.5  # a reply with this share of the old words repeats the answer, whatever it says

# What models say instead of the answer. "Original" may be any word for it.
_REFERS = re.compile(
    r"\b(?:original|existing|previous|prior|current|earlier|initial)\s+(?:answer|response)\b"
    r"[^.!?\n]{0,60}?"
    r"\b(?:remains?|stands?|stays?|still|holds?|unchanged|valid|correct|sufficient|accurate)\b"
    r"|\b(?:keep|retain|return|repeat|maintain|stick with|refer to)(?:ing)?\s+(?:the|my)\s+"
    r"(?:original|existing|previous|prior|current|earlier|initial)\s+(?:answer|response)\b"
    r"|\banswer\s+(?:remains|is|stays)\s+(?:the\s+same|unchanged)\b"
    r"|\bno\s+(?:further\s+)?(?:refinements?|changes?|updates?)\s+(?:is|are)\s+(?:needed|required)\b"
    r"|(?:原|现有|現有|已有|先前|之前)[^。！？\n]{0,4}(?:答案|回答|答复|答覆)[^。！？\n]{0,16}?"
    r"(?:不变|不變|仍|依然|依旧|依舊|有效|正确|正確|适用|適用|无需|無需|无须|無須|不需要)"
    r"|(?:保持|保留|沿用|维持|維持)[^。！？\n]{0,4}(?:原|现有|現有|先前|之前)[^。！？\n]{0,4}(?:答案|回答)"
    r"|(?:答案|回答)(?:保持|维持|維持)不[变變]",
    re.IGNORECASE,
)


def lost_answer(reply: str, diff: Diff) -> LossKind | None:
    """How a reply lost the answer before it, which `diff` compares it with; None if it did not."""
    if not reply.strip():
        return "empty"
    before, after = diff.kept + diff.dropped, diff.kept + diff.added
    if diff.kept < _QUOTED * before and _REFERS.search(reply):
        return "refers"
    return "shorter" if after < LEFT * before else None


Shape = Literal["chain", "list", "levels"]


class StepAnswer(NamedTuple):
    """The answer of the call of this number."""

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
    pieces: tuple[ChunkPiece, ...]
    before: tuple[StepAnswer, ...]
    after: tuple[StepAnswer, ...]

    @cached_property
    def diff(self) -> Diff:
        """The words of the answer so far that were kept, added and dropped."""
        sides = (self.before, self.after)
        return word_diff(*("\n\n".join(said.text for said in side) for side in sides))

    @cached_property
    def lost(self) -> LossKind | None:
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
        return sum(piece.tokens for piece in self.pieces)
