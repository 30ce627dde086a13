"""Signs that a refining call lost the answer that it was to refine."""

from __future__ import annotations

import re
from typing import Literal

from ui.text.diff import Diff

Lost = Literal["empty", "refers", "shorter"]
"""Nothing was said; only "the original answer remains" was; little of it is left."""

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


def lost_answer(reply: str, diff: Diff) -> Lost | None:
    """How a reply lost the answer before it, which `diff` compares it with; None if it did not."""
    if not reply.strip():
        return "empty"
    before, after = diff.kept + diff.dropped, diff.kept + diff.added
    if diff.kept < _QUOTED * before and _REFERS.search(reply):
        return "refers"
    return "shorter" if after < LEFT * before else None
