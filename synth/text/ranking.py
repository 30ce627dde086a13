"""How well texts match a question: BM25 over words, and over character pairs where no spaces are.

>>> words("The pods were restarted. 连接池")
['pod', 'restart', '连接', '接池']
>>> Ranking(["a cold river", "the fire"]).scores("What about rivers?")[1]
0.0
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""The characters of Chinese, Japanese and Korean, for a class of a pattern."""

_RUN = re.compile(rf"([{CJK}]+)|[^\W_{CJK}]{{1,64}}")  # nothing longer is a word to look up
# Takes off the endings in which "cause", "caused" and "causes" differ; three letters stay.
_ENDING = re.compile(r"(?<=[a-z]{3})(?:ing|ied|ies|ed|es|e|y|(?<!s)s)$")
_STOP_WORDS = """
a about after all also am an and any are as at be because been before being but by can could did do
does for from had has have how i if in into is it its ll me more most no not of on only or our out
over re s should so some such t than that the their them then there these they this to up us ve was
we were what when where which while who whom whose why will with would you your
什么 怎么 么样 如何 为什 是什 哪些 哪个 多少 是否 的是 这个 那个 一个 可以 です ます した こと
"""
_SAID_BY_ALL = frozenset(_STOP_WORDS.split())
_WORD = 40  # characters up to which the stem of a word is remembered


def words(text: str) -> list[str]:
    """The words of a text that can tell it from others, in order, without English endings.

    Chinese, Japanese and Korean give overlapping pairs of characters, and a character that
    stands alone gives itself.
    """
    stems: list[str] = []
    for match in _RUN.finditer(text.lower()):
        run = match.group()
        if match.group(1) is None:
            stems.append(_stem(run) if len(run) <= _WORD else _stem.__wrapped__(run))
        elif len(run) == 1:
            stems.append(run)
        else:
            stems += map("".join, pairwise(run))
    return [word for word in stems if word and word not in _SAID_BY_ALL]


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    """A word without its ending, or "" for a word that says nothing."""
    return "" if word in _SAID_BY_ALL else _ENDING.sub("", word)


class Ranking:
    """The BM25 scores of texts; made once, asked any number of questions."""

    def __init__(self, texts: Sequence[str]) -> None:
        import bm25s  # noqa: PLC0415  slow to import, and chunks in their own order need none

        self._size = len(texts)
        self._index = bm25s.BM25()
        documents = [words(text) for text in texts]
        self._blank = not any(documents)
        if not self._blank:
            self._index.index(documents, show_progress=False)

    def scores(self, query: str) -> list[float]:
        """How well each text matches the query; 0.0 where they share no word."""
        query_words = list(dict.fromkeys(words(query)))
        if self._blank or not query_words:
            return [0.0] * self._size
        scores: list[float] = self._index.get_scores(query_words).tolist()
        return scores
