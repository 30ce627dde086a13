"""Text into sentences, well enough to quote them: prose, lists, wrapped lines, Chinese."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

_LONGEST = 400  # characters: text without a full stop is cut, so that a piece can be quoted
_CLOSERS = "\"'”’)\\]»」』）】"
# What stands before a full stop that ends no sentence: an initial, an abbreviation.
_NO_END = re.compile(r"\b(?:[A-Z]|(?i:e\.g|i\.e|m[rs]|mrs|dr|prof|st|[js]r|vs|cf))\Z")
# A run of stops is matched from its first character only: anything else takes quadratic time.
_BREAK = re.compile(
    rf"(?<![.!?…])(?P<stop>[.!?…]++)[{_CLOSERS}]*+(?=\s|\Z)"
    rf"|[。！？｡]++[{_CLOSERS}]*+"
    r"|(?P<line>\n)"
)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_LIST_MARKER = re.compile(r"\s*(?:[-*•–·#>|]|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s)")
_ARTICLE = re.compile(r"\s*第[一二三四五六七八九十百零\d]+[条章节款][^，；。]*\Z")
_SHORT = 20  # characters: a sentence as short as "Root cause." belongs to the next
_WRAPPED_FROM = 40  # characters: a line this long without a stop may go on in the next
_PIECE = re.compile(rf".{{1,{_LONGEST}}}(?!\S)|.{{{_LONGEST}}}", re.DOTALL)
_ENDED = re.compile(rf"[.!?…。！？｡][{_CLOSERS}]*\Z")
_FULL_WIDTH = "。！？｡」』）】"


def paragraphs(text: str) -> list[list[str]]:
    """Return the sentences of each paragraph, with white space inside them as single spaces.

    >>> paragraphs("Dr. Ada paid 3.5 euros. Why? Nobody knows.\\n\\n1. It rained")
    [['Dr. Ada paid 3.5 euros.', 'Why? Nobody knows.'], ['1. It rained']]
    """
    found = (list(_sentences(part)) for part in _BLANK_LINE.split(text))
    return [sentences for sentences in found if sentences]


def join_sentences(sentences: Sequence[str]) -> str:
    """Return the sentences as one text, which `paragraphs` would cut in the same places."""
    text = ""
    for before, sentence in zip(("", *sentences), sentences, strict=False):
        text += _between(before, sentence) + sentence
    return text


def _between(before: str, after: str) -> str:
    if not before:
        return ""
    if not _ENDED.search(before) or _LIST_MARKER.match(after):
        return "\n\n"
    if before[-1] in _FULL_WIDTH:
        return ""
    return " " if len(before) >= _SHORT else "\n\n"


def _sentences(paragraph: str) -> Iterator[str]:
    start = 0
    for end in chain(_ends(paragraph), [len(paragraph)]):
        sentence = " ".join(paragraph[start:end].split())
        start = end
        if len(sentence) > _LONGEST:
            yield from (piece.strip() for piece in _PIECE.findall(sentence))
        elif sentence:
            yield sentence


def _ends(paragraph: str) -> Iterator[int]:
    line = begin = 0
    for match in _BREAK.finditer(paragraph):
        start, end = match.span()
        if match["line"]:
            goes_on = start - line >= _WRAPPED_FROM and not _LIST_MARKER.match(paragraph, end)
            line = end
        else:
            short = start - begin < _SHORT
            goes_on = short and _ARTICLE.match(paragraph, begin, start) is not None
            goes_on |= match["stop"] is not None and (
                short
                or re.match(r"[a-z\d]", paragraph[end + 1 : end + 2]) is not None
                or _NO_END.search(paragraph, max(begin, start - 5), start) is not None
            )
        if not goes_on:
            yield end
            begin = end
