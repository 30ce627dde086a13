"""How many of a question's words stand in a sentence: rare words and short sentences count more.

>>> overlap = Overlap(["The pool was too small.", "The pool was set to 8."])
>>> [round(score, 1) for score in overlap.scores("Was the pool small?")]
[2.8, 1.2]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import log
from statistics import fmean

from synth.ranking import words
from synth.remembered import remembered

_UNREAD = 20


class Overlap:
    """The words of sentences; made once, asked about any number of texts.

    BM25 takes a word that stands in every text for one that says nothing. A prompt may hold
    three sentences, too few to tell that; so rarity is counted as if twenty more had been read.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        found = [_bag(sentence) for sentence in sentences]
        usual = fmean(map(len, found)) if any(found) else 1.0
        self._worth = [1 / (1 + len(bag) / usual) for bag in found]
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for at, bag in enumerate(found):
            for word in bag:
                self._places[word].append(at)

    def scores(self, text: str) -> list[float]:
        """How well each sentence matches the text; 0.0 where they share no word."""
        scores = [0.0] * len(self._worth)
        for word in dict.fromkeys(words(text)):
            if places := self._places.get(word):
                rarity = log(1 + (len(scores) + _UNREAD) / len(places))
                for at in places:
                    scores[at] += rarity * self._worth[at]
        return scores


@remembered(1_000_000)  # the calls and the runs of a comparison read the same sentences
def _bag(sentence: str) -> frozenset[str]:
    return frozenset(words(sentence))
