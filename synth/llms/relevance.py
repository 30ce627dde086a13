"""How well each sentence answers each part of a question, and which of them make an answer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from math import log
from statistics import fmean
from typing import NamedTuple

from synth.llms.questions import Part, asked
from synth.llms.suspicions import Doubts, doubts, speaks_of_doubt
from synth.text.words import telling_words

SENTENCES = 4  # at most, in one answer

# What a match counts, beside one with the words of the part itself.
_HINT = 0.5  # with a word that goes with its kind
_TOPIC = 0.5  # with a clause of the question that asks nothing
_WHOLE = 0.25  # with the other parts, for a sentence that matches this one
# What multiplies the score of a sentence.
_LOOKS = 2.5  # it has the number, time or name that is asked for
_SUSPECTED = 0.6
_REJECTING = 0.5
_FOLLOWS = 0.5  # what the sentence before it has, where that says what happened and not why
_KEPT = 1.3  # it stands in the answer so far
# What share of the best score a sentence needs.
_TO_COME = 0.5
_TO_STAY = 0.25  # in the answer so far

_FULL = 40  # bytes, in UTF-8: a shorter sentence, such as a heading, says less
_LEANS = re.compile(r"(?:It|They|He|She|Its|Their)\b|[它他她]")


class Match(NamedTuple):
    """A sentence for a part of the question; `share` is its score against the best one's."""

    part: int
    sentence: int
    share: float

    @property
    def place(self) -> tuple[int, bool, int]:
        """Its order in an answer: by parts, the best sentence of each before the others."""
        return self.part, self.share < 1, self.sentence


@dataclass(frozen=True)
class Candidates:
    """The sentences that an answer can be made of, each of them once.

    The first `kept` sentences are those of the answer so far. Those in `context` stand in the
    chunks of the prompt, those in `leads` begin a paragraph.
    """

    sentences: Sequence[str]
    kept: int
    context: Set[str]
    leads: Set[str]


@dataclass(frozen=True)
class Relevance:
    """The scores of all candidates for each part of a question; 0.0 where nothing matches.

    `rejected` are the suspicions that the text rejects. Sentences are numbers from 0.
    """

    scores: Sequence[Sequence[float]]
    rejected: Set[int]

    @property
    def matching(self) -> set[int]:
        """The sentences that match any part."""
        return {at for part in self.scores for at, score in enumerate(part) if score}

    def best(self, kept: int) -> list[Match]:
        """The sentences that are good enough for a part, the best of all parts first.

        The first `kept` sentences need half the score that a new one needs.
        """
        found: list[Match] = []
        for number, part in enumerate(self.scores):
            if best := max(part):
                shares = (Match(number, at, score / best) for at, score in enumerate(part))
                found += nlargest(SENTENCES, shares, key=lambda match: match.share)
        worthy = (
            match
            for match in found
            if match.share >= (_TO_STAY if match.sentence < kept else _TO_COME)
        )
        return sorted(worthy, key=lambda match: -match.share)


def relevance(query: str, candidates: Candidates) -> Relevance:
    """How well the candidates answer the query.

    A word counts more the rarer it is among them. The answer so far counts a little more. A
    suspicion counts less than a statement; one that the text rejects counts nothing, and the
    sentence that rejects it takes its place, with half of its score. Where the question itself
    is about suspicions, all sentences count alike. A sentence that begins with "It" or the like
    says little without the one before it in its paragraph, from which it has half of its score.
    So has the sentence behind the best one where that says what happened, and the question why.
    """
    sentences = candidates.sentences
    overlap, question = Overlap(sentences), asked(query)
    topic, whole = overlap.scores(question.topic), overlap.scores(query)
    found = doubts([] if speaks_of_doubt(query) else sentences)
    worth = [_worth(at, candidates, found) for at in range(len(sentences))]
    leaning = [
        at
        for at, sentence in enumerate(sentences)
        if sentence not in candidates.leads and _LEANS.match(sentence)
    ]
    parts = []
    for part in question.parts:
        scores = _of_part(part, sentences, overlap)
        for at, weight in enumerate(worth):
            if score := scores[at] + _TOPIC * topic[at]:
                scores[at] = weight * (score + _WHOLE * whole[at])
        for at in leaning:
            scores[at] = (scores[at] + scores[at - 1]) / 2
        if (reason := _explaining(part, scores, candidates)) is not None:
            scores[reason] = max(scores[reason], _FOLLOWS * scores[reason - 1])
        for suspicion, rejection in found.instead.items():
            scores[rejection] = max(scores[rejection], _REJECTING * scores[suspicion])
            scores[suspicion] = 0.0
        parts.append(scores)
    return Relevance(parts, found.instead.keys())


def _worth(at: int, candidates: Candidates, found: Doubts) -> float:
    """What multiplies the score of a candidate in every part of the question."""
    return (
        (_KEPT if at < candidates.kept else 1)
        * (_SUSPECTED if at in found.suspected else 1)
        * (_REJECTING if at in found.rejecting else 1)
        * min(1, len(candidates.sentences[at].encode("utf-8", "replace")) / _FULL)
    )


def _explaining(part: Part, scores: Sequence[float], candidates: Candidates) -> int | None:
    """The sentence behind the best one in its paragraph, where the best gives no reason itself."""
    best = max(range(len(scores)), key=scores.__getitem__)
    following, sentences = best + 1, candidates.sentences
    if not part.wants_reason or best < candidates.kept or following == len(sentences):
        return None
    gives = any(kind.looks and kind.looks.search(sentences[best]) for kind in part.kinds)
    return None if gives or sentences[following] in candidates.leads else following


def _of_part(part: Part, sentences: Sequence[str], overlap: Overlap) -> list[float]:
    """The scores for one part alone, without the rest of the question."""
    own = overlap.scores(part.about)
    hints = overlap.scores(" ".join(kind.words for kind in part.kinds))
    scores = [own[at] + _HINT * hints[at] for at in range(len(sentences))]
    for kind in part.kinds:
        if kind.looks is not None:
            for at, sentence in enumerate(sentences):
                if scores[at] and kind.looks.search(sentence):
                    scores[at] *= _LOOKS
    return scores


_UNREAD = 20


class Overlap:
    """The words of sentences; made once, asked about any number of texts.

    >>> overlap = Overlap(["The pool was too small.", "The pool was set to 8."])
    >>> [round(score, 1) for score in overlap.scores("Was the pool small?")]
    [2.8, 1.2]

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
        for word in dict.fromkeys(telling_words(text)):
            if places := self._places.get(word):
                rarity = log(1 + (len(scores) + _UNREAD) / len(places))
                for at in places:
                    scores[at] += rarity * self._worth[at]
        return scores


@lru_cache(maxsize=8_192)  # the calls and the runs of a comparison read the same sentences
def _bag(sentence: str) -> frozenset[str]:
    return frozenset(telling_words(sentence))
