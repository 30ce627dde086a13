"""What a model thought before its answer, where that arrives in the text of the reply.

Reasoning is a block at the very beginning: `<think>…</think>` under its several names, a pair of
marks such as `[THINK]…[/THINK]`, or harmony's channels, of which `final` is the answer. A block
that never ends was cut off in it. Templates that open the block in the prompt leave its end alone,
at the beginning of a line, and servers that drop harmony's marks leave its words. Anything else is
an answer, which may speak of such marks.
"""

import re
from io import StringIO

_PAIRS = {
    "[think]": "[/think]",  # Magistral
    "◁think▷": "◁/think▷",  # Kimi
    "<|channel>thought": "<channel|>",  # Gemma 4
    "<|inner_prefix|>": "<|inner_suffix|>",  # Apertus
    "<|start_thinking|>": "<|end_thinking|>",  # Command A
}
_NAMES = r"(?:\w{1,20}[:|])?(?:think|thinking|thoughts?|reasoning)"
_OPENING = re.compile(
    r"(?:<\|start\|>\w{0,20})?<\|channel\|>(?P<channel>\w{1,20})[^<]{0,200}"
    r"(?:<\|constrain\|>\w{0,20})?<\|message\|>"
    rf"|<(?P<tag>{_NAMES})>|(?P<answer><\|START_RESPONSE\|>)"
    rf"|{'|'.join(map(re.escape, _PAIRS))}",
    re.IGNORECASE,
)
_MESSAGE_END = re.compile(r"<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)")
_HEADER_BEGUN = re.compile(r"(?:<\|start\|>\w{0,20})?(?:<\|channel\|>\w{0,20})?")
_LAST_END = re.compile(r"<\|(?:end|return|END_RESPONSE)\|>\s*\Z")
_LONE_END = re.compile(
    rf"^[ \t]*(?:</{_NAMES}>|{'|'.join(map(re.escape, _PAIRS.values()))})(?:[ \t]*$|(?=[\w{{*#]))",
    re.IGNORECASE | re.MULTILINE,
)
_BARE_HARMONY = re.compile(r"\s*analysis(?=[A-Z])")
_BARE_FINAL = "assistantfinal"
_MOST_BLANKS, _MOST_HEADER = 1_000, 300  # characters before a block, and of a channel's header
_HELD = 40  # characters in which an end, or a tag, may have begun


class ReasoningStream:
    """Takes the pieces of a reply, and tells the answer from the reasoning before it.

    An end of reasoning without its beginning is not known from pieces: what stood before it was
    given out when it came.
    """

    def __init__(self) -> None:
        self.has_reasoning = False  # if only an empty block
        self._reasoning = StringIO()
        self._held = ""
        self._end: re.Pattern[str] | None = None  # of the block that is open
        self._has_begun = False  # whether the answer has
        self._is_final = False  # whether the answer is a message of harmony

    @property
    def reasoning(self) -> str:
        """All that was thought, so far."""
        return self._reasoning.getvalue().strip()

    def take(self, piece: str) -> str:
        """Return what of the answer is certain with this piece."""
        if self._has_begun and not self._is_final:
            return piece
        self._held += piece
        while not self._has_begun and self._advances():
            pass
        certain = len(self._held) if self._has_begun else 0
        if self._is_final and (mark := self._held.rfind("<", -_HELD)) >= 0:
            certain = mark  # its end may have begun there
        answer, self._held = self._held[:certain], self._held[certain:]
        return answer

    def close(self) -> str:
        """Return the rest of the answer, once the reply has ended."""
        held, self._held = self._held, ""
        if self._end is not None:
            self._reasoning.write(held)
            return ""
        if self._is_final:
            return _LAST_END.sub("", held)
        if not self.has_reasoning or self._has_begun:
            return held
        return "" if _HEADER_BEGUN.fullmatch(held.strip()) else held.lstrip()

    def _advances(self) -> bool:
        """Return whether what is held could be read further: a block or the answer began."""
        if self._end is not None:
            return self._block_ends(self._end)
        begun = self._held.lstrip()
        if len(self._held) - len(begun) > _MOST_BLANKS:
            self._has_begun = True
        elif (opening := _OPENING.match(begun)) is not None:
            self._held = begun[opening.end() :]
            self._open(opening)
        elif not _may_open(begun):
            self._has_begun = True
            self._held = begun if self.has_reasoning else self._held
        else:
            return False
        return True

    def _open(self, opening: re.Match[str]) -> None:
        channel, tag = opening["channel"], opening["tag"]
        if opening["answer"] or (channel or "").lower() == "final":
            self._has_begun = self._is_final = True
            return
        self.has_reasoning = True
        self._reasoning.write("\n\n")
        self._end = _MESSAGE_END
        if channel is None:
            end = f"</{tag}>" if tag else _PAIRS[opening[0].lower()]
            self._end = re.compile(re.escape(end), re.IGNORECASE)

    def _block_ends(self, end: re.Pattern[str]) -> bool:
        """Return whether the open block has ended in what is held."""
        found = end.search(self._held)
        kept = found.start() if found else max(0, len(self._held) - _HELD)
        self._reasoning.write(self._held[:kept])
        self._held = self._held[found.end() if found else kept :]
        self._end = None if found else end
        return found is not None


def _may_open(begun: str) -> bool:
    """Return whether a block may still begin with this."""
    if begun.startswith(("<|start|>", "<|channel|>")):
        return len(begun) < _MOST_HEADER and "<|message|>" not in begun
    if any(mark.startswith(begun.lower()) for mark in _PAIRS):
        return True
    return begun[0] == "<" and ">" not in begun and len(begun) <= _HELD


def split_reasoning(text: str) -> tuple[str, str]:
    """Return what a whole reply says of the model's reasoning, and its answer without that."""
    stream = ReasoningStream()
    answer = stream.take(text) + stream.close()
    if stream.has_reasoning:
        return stream.reasoning, answer
    before, mark, after = text.partition(_BARE_FINAL)
    if mark and (word := _BARE_HARMONY.match(before)) is not None:
        return before[word.end() :].strip(), after.lstrip()
    end = _LONE_END.search(text)
    if end is None or _speaks_of_it(text[: end.start()]):
        return "", answer
    return text[: end.start()].strip(), text[end.end() :].lstrip()


def _speaks_of_it(before: str) -> bool:
    """Return whether an end stands in an answer: after its beginning, or within a fence."""
    return _OPENING.search(before) is not None or before.count("```") % 2 == 1
