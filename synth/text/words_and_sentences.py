"""Words of texts: where they stand, which runs of them two texts share, which ones tell.

Texts are cut into sentences too, well enough to quote them: prose, lists, wrapped lines, Chinese.

>>> [word.text for word in split_words("At 09:42, 故障.")]
['At', '09:42', ',', '故', '障', '.']
>>> telling_words("The pods were restarted. 连接池")
['pod', 'restart', '连接', '接池']
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""The characters of Chinese, Japanese and Korean, for a class of a pattern."""

# Accents and vowel signs belong to their words, and are no word characters for `re`.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0e7f"
_LETTER = rf"(?:[^\W{CJK}]|[{_MARKS}])"
_WORD = re.compile(rf"(?P<cjk>[{CJK}])|(?P<word>{_LETTER}+(?:['’.,:-]{_LETTER}+)*)|[^\w\s]")
_WEIGHTS = {"word": 2, "cjk": 1}


class SplitWord(NamedTuple):
    """A word (weight 2), a CJK character (1) or a mark (0), at characters `start` to `end`."""

    text: str
    start: int
    end: int
    weight: int


def split_words(text: str) -> list[SplitWord]:
    """Return the words of a text in order, without the white space between them."""
    return [
        SplitWord(match.group(), *match.span(), _WEIGHTS.get(match.lastgroup or "", 0))
        for match in _WORD.finditer(text)
    ]


def count_words(text: str) -> int:
    """Count the words of a text; a CJK character is a word, a punctuation mark is none."""
    return sum(word.weight > 0 for word in split_words(text))


_LEAST = 6  # the weight of the shortest run: three words, or six characters of Chinese
_MOST_PLACES = 50  # of one opening in the texts; an opening with more is too common

_Opening = tuple[str, ...]  # the fewest words that make a run


class WordRun(NamedTuple):
    """Words `first` to before `end`, which are words of text `source`."""

    first: int
    end: int
    source: int


def word_runs(
    words: Sequence[SplitWord], texts: Sequence[Sequence[SplitWord]]
) -> Iterator[WordRun]:
    """Give the longest run at each place, from left to right; of equal ones the first text's."""
    places = _places(words, texts)
    at = 0
    while at < len(words):
        run = None
        for source, start in places.get(_opening(words, at), []):
            end = at + _common_length(words, at, texts[source], start)
            if run is None or end > run.end:
                run = WordRun(at, end, source)
        if run is not None:
            yield run
        at = at + 1 if run is None else run.end


def _opening(words: Sequence[SplitWord], at: int) -> _Opening:
    """Return the fewest words from there on that make a run; () if there are too few."""
    weight = 0
    for end in range(at, len(words)):
        weight += words[end].weight
        if weight >= _LEAST:
            return tuple(word.text for word in words[at : end + 1])
    return ()


def _places(
    words: Sequence[SplitWord], texts: Sequence[Sequence[SplitWord]]
) -> dict[_Opening, list[tuple[int, int]]]:
    """Return where each opening of the words stands: indices of the text, and of a word in it."""
    places: dict[_Opening, list[tuple[int, int]]] = {
        opening: [] for at in range(len(words)) if (opening := _opening(words, at))
    }
    first_words = {opening[0] for opening in places}
    for index, others in enumerate(texts):
        for at, word in enumerate(others):
            if word.text in first_words:
                of_opening = places.get(_opening(others, at))
                if of_opening is not None and len(of_opening) < _MOST_PLACES:
                    of_opening.append((index, at))
    return places


def _common_length(
    words: Sequence[SplitWord], at: int, others: Sequence[SplitWord], start: int
) -> int:
    most = min(len(words) - at, len(others) - start)
    differ = (step for step in range(most) if words[at + step].text != others[start + step].text)
    return next(differ, most)


_STRETCH = re.compile(rf"([{CJK}]+)|[^\W_{CJK}]{{1,64}}")  # nothing longer is a word to look up
# Takes off the endings in which "cause", "caused" and "causes" differ; three letters stay.
_ENDING = re.compile(r"(?<=[a-z]{3})(?:ing|ied|ies|ed|es|e|y|(?<!s)s)$")
_STOP_WORDS = frozenset(Path(__file__).with_name("stop_words.txt").read_text("utf-8").split())


def telling_words(text: str) -> list[str]:
    """Return the words that tell a text from others: without English endings, CJK in pairs."""
    stems: list[str] = []
    for match in _STRETCH.finditer(text.lower()):
        stretch = match.group()
        if match.group(1) is None:
            stems.append(_stem(stretch))
        elif len(stretch) == 1:
            stems.append(stretch)
        else:
            stems += map("".join, pairwise(stretch))
    return [word for word in stems if word and word not in _STOP_WORDS]


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    """Return a word without its ending, or "" for a word that says nothing."""
    return "" if word in _STOP_WORDS else _ENDING.sub("", word)


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
