"""Texts split into words, for the diff and the provenance; each CJK character is a word."""

from __future__ import annotations

import re
from typing import NamedTuple

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
# Accents and vowel signs belong to their words, and are no word characters for `re`.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0e7f"
_LETTER = rf"(?:[^\W{_CJK}]|[{_MARKS}])"
_WORD = re.compile(rf"(?P<cjk>[{_CJK}])|(?P<word>{_LETTER}+(?:['’.,:-]{_LETTER}+)*)|[^\w\s]")


class SplitWord(NamedTuple):
    """A word, a CJK character or a punctuation mark, at characters `start` to `end` of its text.

    A word has weight 2, a CJK character 1, and a punctuation mark 0.
    """

    text: str
    start: int
    end: int
    weight: int


def split_words(text: str) -> list[SplitWord]:
    """The words of a text in order, without the white space between them.

    >>> [word.text for word in split_words("At 09:42, 故障.")]
    ['At', '09:42', ',', '故', '障', '.']
    """
    return [
        SplitWord(found.group(), *found.span(), {"cjk": 1, "word": 2}.get(found.lastgroup or "", 0))
        for found in _WORD.finditer(text)
    ]


def count_words(text: str) -> int:
    """The words of a text; a CJK character is a word, a punctuation mark is none."""
    return sum(word.weight > 0 for word in split_words(text))
