"""What a question asks for, and how well each of some sentences answers each part of it.

>>> split_question("What broke the dam, and when was it mended?").parts
['What broke the dam', 'when was it mended']
>>> split_question("车辆被淹后，哪些损失可以理赔，多久内报案？").topic
'车辆被淹后'
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Sequence, Set
from functools import lru_cache
from heapq import nlargest
from itertools import chain
from math import fsum, log
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from synth.text.words_and_sentences import telling_words

# What a match counts, beside one with the words of the part itself.
_TOPIC = 0.5  # with a clause of the question that asks nothing
# What multiplies the score of a sentence.
_LOOKS = 2.5  # it has the number, time or name that is asked for
_DOUBTED = 0.3  # it suspects or rejects something
_KEPT = 1.3  # it stands in the answer so far
# What share of the best score a sentence needs.
_TO_COME = 0.5
_TO_STAY = 0.25  # in the answer so far

_FULL = 40  # bytes, in UTF-8: a shorter sentence, such as a heading, says less
_LEANS = re.compile(r"(?:It|They|He|She|Its|Their)\b|[它他她]")
_PARTS = 8  # of a question, at most: an answer has room for fewer

_WORDS = tomllib.loads(Path(__file__).with_name("sentence_ranking.toml").read_text("utf-8"))
_SUMMARY = frozenset(telling_words(_WORDS["summary"]))
_DOUBTS, _ASKS = (re.compile("|".join(_WORDS[name]), re.IGNORECASE) for name in ("doubts", "asks"))
# Possessive: a run of commas and spaces is matched from its beginning only.
_BETWEEN = re.compile(
    rf"[?;。！？；，\n]++|(?<![,\s])[,\s]++(?:(?:and|or|but)\s++)?(?={_WORDS['asks'][0]})",
    re.IGNORECASE,
)
_NUMBER = f"(?i:{'|'.join(_WORDS['number'].values())})"


_KINDS = {  # how a kind of answer looks, by how one asks for it
    re.compile(kind["asked"], re.IGNORECASE): re.compile(
        "|".join(kind["looks"]).replace("NUMBER", _NUMBER)
    )
    for kind in _WORDS["kinds"]
}


class QuestionParts(NamedTuple):
    """The parts of a question, and the text between them that asks nothing."""

    parts: list[str]
    topic: str


def split_question(query: str) -> QuestionParts:
    """Cut a query where another question word, or a clause of Chinese, begins."""
    clauses = [clause.strip(" ,") for clause in _BETWEEN.split(query)]
    parts = [clause for clause in clauses if _ASKS.search(clause)]
    if not parts:
        return QuestionParts([query], "")
    rest = (clause for clause in clauses if clause and not _ASKS.search(clause))
    return QuestionParts(parts[:_PARTS], " ".join(rest))


def wants_summary(query: str) -> bool:
    """Return whether the query has no word that could tell one sentence from another."""
    return set(telling_words(query)) <= _SUMMARY


class SentenceMatch(NamedTuple):
    """A sentence for a part of the question; `share` is its score against the best one's."""

    part: int
    sentence: int
    share: float

    @property
    def place(self) -> tuple[int, bool, int]:
        """Order an answer by parts, the best sentence of each before the others."""
        return self.part, self.share < 1, self.sentence


def rank_sentences(
    query: str, sentences: Sequence[str], existing: int, most: int
) -> tuple[list[SentenceMatch], set[int]]:
    """Rank the sentences that answer the query, best first, and say which match it at all.

    Of each part of the query `most` are ranked. The `existing` ones are of the answer so far. One
    that suspects or rejects something has a third of its score, unless the question is about
    suspicions itself. One that begins with "It" has half of the score of the sentence before it.
    """
    bags, question = [pick_telling(sentence) for sentence in sentences], split_question(query)
    topic = score_overlap(question.topic, bags)
    of_doubts = _DOUBTS.search(query) is not None
    worth = [
        (_KEPT if at < existing else 1)
        * (_DOUBTED if _DOUBTS.search(sentence) and not of_doubts else 1)
        * min(1, len(sentence.encode("utf-8", "replace")) / _FULL)
        for at, sentence in enumerate(sentences)
    ]
    leaning = [at for at, sentence in enumerate(sentences) if at and _LEANS.match(sentence)]
    parts = []
    for part in question.parts:
        own = _of_part(part, sentences, bags)
        scores = [worth[at] * (own[at] + _TOPIC * topic[at]) for at in range(len(sentences))]
        for at in leaning:
            scores[at] = (scores[at] + scores[at - 1]) / 2
        parts.append(scores)
    matching = {at for scores in parts for at, score in enumerate(scores) if score}
    return _best(parts, existing, most), matching


def _best(parts: Sequence[Sequence[float]], existing: int, most: int) -> list[SentenceMatch]:
    """Take the few best sentences of each part, as far as they are good enough."""
    matches: list[SentenceMatch] = []
    for number, scores in enumerate(parts):
        if best := max(scores):
            shares = (SentenceMatch(number, at, score / best) for at, score in enumerate(scores))
            matches += nlargest(most, shares, key=lambda match: match.share)
    least = {True: _TO_STAY, False: _TO_COME}
    worthy = (match for match in matches if match.share >= least[match.sentence < existing])
    return sorted(worthy, key=lambda match: -match.share)


def _of_part(part: str, sentences: Sequence[str], bags: Sequence[Set[str]]) -> list[float]:
    wanted = [looks for asked, looks in _KINDS.items() if asked.search(part)]
    scores = score_overlap(part, bags)
    for at, sentence in enumerate(sentences):
        for looks in wanted:
            if scores[at] and looks.search(sentence):
                scores[at] *= _LOOKS
    return scores


def score_overlap(text: str, bags: Sequence[Set[str]]) -> list[float]:
    """Return how well each bag of words matches the text; 0.0 where they share no word.

    >>> bags = [pick_telling("The pool was too small."), pick_telling("The pool was set to 8.")]
    >>> [round(score, 1) for score in score_overlap("Was the pool small?", bags)]
    [0.9, 0.3]
    """
    usual, wanted = fmean(map(len, bags)) or 1.0, pick_telling(text)
    shared = [each & wanted for each in bags]
    rarity = {
        word: log(1 + len(bags) / count)
        for word, count in Counter(chain.from_iterable(shared)).items()
    }
    return [
        fsum(rarity[word] for word in words) / (1 + len(each) / usual)
        for each, words in zip(bags, shared, strict=True)
    ]


@lru_cache(maxsize=8_192)  # the calls and the runs of a comparison read the same sentences
def pick_telling(sentence: str) -> frozenset[str]:
    """Return the words that tell a sentence from others."""
    return frozenset(telling_words(sentence))
