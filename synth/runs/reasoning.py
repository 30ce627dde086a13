"""What a model thought before its answer, where that arrives in the text of the reply.

Reasoning is blocks at the very beginning: `<think>…</think>` under its several names, a pair of
marks such as `[THINK]…[/THINK]`, or harmony's channels, of which `final` is the answer. A block
that never ends was cut off in it, unless the reply ended by itself. Templates that open the block
in the prompt leave its end alone. Anything else is an answer, which may speak of such marks.
"""

import re
from io import StringIO

from synth.runs.ends import is_whole

_PAIRS = {
    "[think]": "[/think]",  # Magistral
    "◁think▷": "◁/think▷",  # Kimi
    "<|channel>thought": "<channel|>",  # Gemma 4
    "<|inner_prefix|>": "<|inner_suffix|>",  # Apertus
}
_PREFIX = r"(?:\w{1,20}[:|_])?"
_NAMES = rf"{_PREFIX}(?:think|thinking|thoughts?|reason|reasoning)"
_BLOCK = re.compile(
    r"(?:<\|start\|>\w{0,20})?<\|channel\|>(?P<channel>\w{1,20})[^<]{0,200}"
    r"(?:<\|constrain\|>\w{0,20})?<\|message\|>"
    rf"|<{_NAMES}(?:\s[^<>]{{0,60}})?>|{'|'.join(map(re.escape, _PAIRS))}",
    re.IGNORECASE,
)
_ANSWER_END = re.compile(r"<\|(?:end|return)\|>", re.IGNORECASE)
_MESSAGE_END = re.compile(r"<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)")
_PAIR_END = "|".join(map(re.escape, _PAIRS.values()))
_BLOCK_END = re.compile(rf"</{_NAMES} ?>|{_PAIR_END}", re.IGNORECASE)
_HEADER_BEGUN = re.compile(r"(?:<\|start\|>\w{0,20})?(?:<\|channel\|>\w{0,20})?")
_BEFORE = re.compile(r"[\s\ufeff\u200b]*(?:<s>)?[\s\ufeff\u200b]*")  # the first block
_END_ALONE = rf"(?:</{_PREFIX}think>|{_PAIR_END})"
_LONE_END = re.compile(  # or what is quoted, in which none is
    r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]*\"|(?<!\w)'[^'\s]{1,40}'|[“„«][^“„«”»\n]*[”“»]|(?P<end>"
    rf"^[ \t]*(?:{_BLOCK_END.pattern})(?:[ \t]*$|(?=[\w{{*#]))"
    rf"|(?:(?<=\S){_END_ALONE}|{_END_ALONE}(?! (?-i:[a-z])|\s*\Z))(?![,.;:!?)]))",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_MOST_BLOCKS, _MOST_BLANKS, _MOST_HEADER = 100, 1_000, 300  # blanks and header in characters
_HELD, _MOST_TAG = 40, 100  # characters in which an end, or a tag, may have begun


class ReasoningStream:
    """Takes the pieces of a reply, and tells the answer from reasoning, also that `before`."""

    def __init__(self, before: str | None = None) -> None:
        self.has_reasoning = before is not None  # if only an empty block
        self._blocks = [] if before is None else [StringIO(before)]
        self._opening = ""  # of the last of them
        self._held = ""
        self._end: re.Pattern[str] | None = None  # of the block that is open
        self._has_begun = False  # whether the answer has
        self._closing: re.Pattern[str] | None = None  # of the mark around the answer

    @property
    def reasoning(self) -> str:
        """Return all that was thought, so far."""
        return "\n\n".join(block.getvalue() for block in self._blocks).strip()

    def take(self, piece: str) -> str:
        """Return what of the answer is certain with this piece."""
        self._held += piece
        while not self._has_begun and self._advances():
            pass
        certain = len(self._held) if self._has_begun else 0
        if self._closing is not None and (mark := self._held.rfind("<", -_HELD)) >= 0:
            certain = min(certain, mark)  # its end may have begun there
        answer, self._held = self._held[:certain], self._held[certain:]
        return self._without_closing(answer)

    def close(self, finish_reason: str | None = None) -> str:
        """Return the rest of the answer, once the reply has ended, which the reason says how."""
        held, self._held = self._held, ""
        if self._end is not None:
            self._blocks[-1].write(held)
            if self._end is _MESSAGE_END or not is_whole(finish_reason):
                return ""
            held = self._opening + self._blocks.pop().getvalue()
            self.has_reasoning = bool(self._blocks)
        elif self.has_reasoning and not self._has_begun:
            held = "" if _HEADER_BEGUN.fullmatch(held.strip()) else held.lstrip()
        return self._without_closing(held)

    def _without_closing(self, answer: str) -> str:
        if self._closing is not None:
            answer, found = self._closing.subn("", answer, count=1)
            self._closing = None if found else self._closing
        return answer

    def _advances(self) -> bool:
        if self._end is not None:
            return self._block_ends(self._end)
        begun = self._held.lstrip() if self.has_reasoning else _BEFORE.sub("", self._held, count=1)
        may_open = self._closing is None and len(self._blocks) < _MOST_BLOCKS
        opening = _BLOCK.match(begun) if may_open else None
        if len(self._held) - len(begun) > _MOST_BLANKS:
            self._has_begun = True
        elif opening is not None:
            self._held = begun[opening.end() :]
            self._open(opening)
        elif not _may_open(begun):
            self._has_begun = True
            self._held = begun if self.has_reasoning else self._held
        else:
            return False
        return True

    def _open(self, opening: re.Match[str]) -> None:
        if (opening["channel"] or "").lower() == "final":
            self._closing = _ANSWER_END
            return
        self.has_reasoning = True
        self._blocks.append(StringIO())
        self._opening = opening[0]
        self._end = _MESSAGE_END if opening["channel"] else _BLOCK_END

    def _block_ends(self, end: re.Pattern[str]) -> bool:
        found = end.search(self._held)
        kept = found.start() if found else max(0, len(self._held) - _HELD)
        self._blocks[-1].write(self._held[:kept])
        self._held = self._held[found.end() if found else kept :]
        self._end = None if found else end
        return found is not None


def _may_open(begun: str) -> bool:
    if begun.startswith(("<|start|>", "<|channel|>")):
        return len(begun) < _MOST_HEADER and "<|message|>" not in begun
    if any(mark.startswith(begun[:_HELD].lower()) for mark in _PAIRS):
        return True
    return begun[0] == "<" and ">" not in begun and len(begun) <= _MOST_TAG


def split_reasoning(text: str, finish_reason: str | None = None) -> tuple[str, str]:
    """Return what a whole reply says of the model's reasoning, and its answer without that."""
    stream = ReasoningStream()
    answer = stream.take(text) + stream.close(finish_reason)
    if stream.has_reasoning or answer != text:
        return stream.reasoning, answer
    end = next((found for found in _LONE_END.finditer(text) if found["end"]), None)
    if end is None or _BLOCK.search(text, 0, end.start()):
        return "", text
    stream = ReasoningStream(text[: end.start()])
    answer = stream.take(text[end.end() :]) + stream.close(finish_reason)
    return stream.reasoning, answer
