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
"""The kinds of loss.

The reply is empty, only refers to the answer before, or has few of the words of that answer.
"""

LEFT = 0.3
"""An answer counts as lost if it has fewer words than this share of those before."""

_QUOTED = 0.5  # a reply with this share of the old words is taken to repeat the answer

# The phrases by which models refer to the answer before instead of repeating it.
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
    """The way in which a reply lost the answer before it; None if it did not.

    `diff` compares the two.
    """
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
    """One step of `total`: its calls, the chunk pieces that went in, the answers before and after.

    In a chain, `before` and `after` hold the answer so far; in a list, the list so far; in
    levels, the answers that the calls read and those that they gave.
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
        """The words that were kept, added and dropped between the answers before and after."""
        sides = (self.before, self.after)
        return word_diff(*("\n\n".join(answer.text for answer in side) for side in sides))

    @cached_property
    def lost(self) -> LossKind | None:
        """The way in which the answer of a chain was lost; None if it was not."""
        if self.shape != "chain" or self.filtered or self.failed:
            return None
        return lost_answer(self.calls[0].answer or "", self.diff)

    @property
    def filtered(self) -> bool:
        """Whether a model said that the text in its prompt does not answer the question."""
        return any(not call.satisfied for call in self.calls)

    @property
    def failed(self) -> int:
        """The number of calls without an answer."""
        return sum(call.answer is None for call in self.calls)

    @property
    def tokens(self) -> int:
        """The tokens of the chunk pieces that went in."""
        return sum(piece.tokens for piece in self.pieces)
