"""What a question asks for, and how well each of some sentences answers each part of it.

>>> split_question("What broke the dam, and when was it mended?").parts
['What broke the dam', 'when was it mended']
>>> split_question("车辆被淹后，哪些损失可以理赔，多久内报案？").topic
'车辆被淹后'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from functools import lru_cache
from heapq import nlargest
from itertools import chain
from math import fsum, log
from statistics import fmean
from typing import NamedTuple

from synth.text.words import telling_words

SENTENCES = 4  # at most, in one answer

# What a match counts, beside one with the words of the part itself.
_TOPIC = 0.5  # with a clause of the question that asks nothing
# What multiplies the score of a sentence.
_LOOKS = 2.5  # it has the number, time or name that is asked for
_DOUBTED = 0.3  # it suspects or rejects something
_KEPT = 1.3  # it stands in the answer so far
# What share of the best score a sentence needs.
_TO_COME = 0.5
_TO_STAY = 0.25  # in the answer so far

# What only suspects something, or says that it is not so.
_DOUBTS = re.compile(
    r"\b(?:suspect|suspicion|hypothes|presum|assum|blam|guess|probably|possibly|perhaps|maybe"
    r"|apparently|believed|seem|might|may have|could have|ruled out|rules out|withdrew|withdrawn"
    r"|reject|refute|disprove|dismiss|innocent|false alarm|no effect|not the cause)"
    r"|怀疑|猜测|推测|以为|疑似|疑为|可能是|也许|大概是|或许|似乎|排除|推翻|否定|否认|并非|无关|不成立",
    re.IGNORECASE,
)
_FULL = 40  # bytes, in UTF-8: a shorter sentence, such as a heading, says less
_LEANS = re.compile(r"(?:It|They|He|She|Its|Their)\b|[它他她]")
_PARTS = 8  # of a question, at most: an answer has room for fewer

_SUMMARY = frozenset(
    telling_words(
        "summarize summarise summary overview gist main key important point idea topic text"
        " document passage chunk content tell explain describe give please short brief"
        " 总结 概括 摘要 概述 主要 内容 要点 大意 一下 文章 本文"
    )
)
_ASKING = r"(?:what|how|when|why|who|whom|whose|which|where)\b"
# Possessive: a run of commas and spaces is matched from its beginning only.
_BETWEEN = re.compile(
    rf"[?;。！？；，\n]++|(?<![,\s])[,\s]++(?:(?:and|or|but)\s++)?(?={_ASKING})", re.IGNORECASE
)
_ASKS = re.compile(
    rf"\b{_ASKING}|[什怎哪谁几吗]|多[少久长大高远]|如何|为何|何时|何地|是否|能否", re.IGNORECASE
)
_NUMBER = (
    r"(?i:\d[\d,.]*|\b(?:half|twice|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|twenty|thirty|hundred|thousand|million|dozen)\b|[一二三四五六七八九十百千万两半]+)"
)
_UNIT = (
    r"(?i:\s*(?:second|minute|hour|day|week|month|year)s?\b"
    r"|个?(?:秒|分|小时|日|天|周|星期|月|年|点))"
)
# In small letters, may is no month.
_DATE = (
    r"\d:\d\d|\b(?:1\d|20)\d\d\b|\b(?:Jan|Febr)uary|\b(?:March|April|May|June|July|August)\b"
    r"|\b(?:Septem|Octo|Novem|Decem)ber|day\b|\b(?:noon|midnight)\b"
)


class AnswerKind(NamedTuple):
    """A kind of answer: how one asks for it, and how it looks."""

    asked: re.Pattern[str]
    looks: re.Pattern[str]


_KINDS = [
    AnswerKind(re.compile(asked, re.IGNORECASE), re.compile(looks))
    for asked, looks in (
        (
            r"\bwhy\b|\bcaus|\breasons?\b|原因|为什么|为何|导致|引起|造成",
            r"(?i:\b(?:because|due to|caused by|reason (?:for|was|is))\b|原因是|由于|因为)",
        ),
        (
            r"\bwhen\b|\bhow (?:long|soon)\b|\bwhat (?:time|date|day|year)\b"
            r"|多久|多长|何时|时候|几[点天年]",
            rf"{_NUMBER}{_UNIT}|{_DATE}",
        ),
        (r"\bhow (?:many|much|far|large|big|high|fast|old)\b|多[少大高远]|几", _NUMBER),
        (r"\bwho(?:m|se)?\b|谁", r"\b[A-Z]\w+ [A-Z]\w+"),
    )
]


class QuestionParts(NamedTuple):
    """The parts of a question, and the text between them that asks nothing."""

    parts: list[str]
    topic: str


def split_question(query: str) -> QuestionParts:
    """Cut a query where another question word begins, or another clause of Chinese.

    A query without a question word is one part.
    """
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


class Relevance(NamedTuple):
    """The sentences that are good enough for a part of a question, the best of all parts first.

    `matching` are all that match any part. Sentences are numbers from 0.
    """

    best: list[SentenceMatch]
    matching: Set[int]


def rank_sentences(query: str, sentences: Sequence[str], existing: int) -> Relevance:
    """Score how well each sentence answers the query; `existing` ones are of the answer so far.

    One that suspects or rejects something has a third of its score, unless the question is
    about suspicions itself. One that begins with "It" has half of the score of the sentence
    before it.
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
    return Relevance(_best(parts, existing), matching)


def _best(parts: Sequence[Sequence[float]], existing: int) -> list[SentenceMatch]:
    """Take the few best sentences of each part, as far as they are good enough."""
    matches: list[SentenceMatch] = []
    for number, scores in enumerate(parts):
        if best := max(scores):
            shares = (SentenceMatch(number, at, score / best) for at, score in enumerate(scores))
            matches += nlargest(SENTENCES, shares, key=lambda match: match.share)
    least = {True: _TO_STAY, False: _TO_COME}
    worthy = (match for match in matches if match.share >= least[match.sentence < existing])
    return sorted(worthy, key=lambda match: -match.share)


def _of_part(part: str, sentences: Sequence[str], bags: Sequence[Set[str]]) -> list[float]:
    kinds = [kind for kind in _KINDS if kind.asked.search(part)]
    scores = score_overlap(part, bags)
    for at, sentence in enumerate(sentences):
        for kind in kinds:
            if scores[at] and kind.looks.search(sentence):
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
