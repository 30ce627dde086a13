"""Whether a text says a fact, or denies it: "was not set to 80" denies "set to 80".

A place of a fact is denied by a negation at most four words before it in the same clause, or by
words right behind it such as "is not true". A negation between the words of a fact denies it too.
One that is part of the fact denies nothing, and neither does one that limits it ("not only", "not
until"). No sentence is understood: "refused to set it to 80" counts as said, and "did not know it
was set to 80" as denied.
"""

import re
from typing import NamedTuple

from synth.quality.facts import Fact
from synth.quality.sending import Stretch, stretches
from synth.quality.words import Word, Words

_LIMITED = (
    "only|just|merely|simply|until|till|before|least|more|less|fewer|later|earlier|sooner|doubt"
)
_PLACING = "for|at|on|in|from|by|between|during|with|of|about|within"
_BREAKING = f"{_PLACING}|{_LIMITED}|than|because|but|and|while|when|which|who|so|if|unless|except"
_THAT = r"(?<!true\s)(?<!case\s)(?<!say\s)(?<!state\s)(?<!show\s)(?<!confirm\s)that"
_BEFORE = re.compile(
    rf"""(?:
    \b(?: not|never|nor|neither|no|nobody|none|nothing|cannot | [a-z]+n['’]t )
    \s+ (?!(?:{_LIMITED})\b) (?:(?:{_PLACING})\s+)?
    (?: (?!(?:{_BREAKING}|{_THAT})\b) [\w'’]+ \s+ ){{0,4}}
  | (?: 没有?|从未|未能|[并尚]?未(?![来知必])|并非|不(?![仅但只光过同断久少足超到论管多低得]) )
    [是再曾被将把会要设置定改调成为到等达提说及包含括使采在于过]{{0,4}}
    ) ["“'‘「『]* \Z""",
    re.VERBOSE | re.IGNORECASE,
)
_BEHIND = re.compile(
    r"""["”'’」』]*\s* (?:
    (?:is|was|are|were|has\ been)? \s* (?:not\ (?:true|correct|the\ case)|untrue|false|incorrect)\b
  | (?:这|的?说法)?(?:并?不属实|并?不成立|并?不正确|是错误?的|是假的)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not(?! only\b)|never|no longer)\b|n['’]t\b|没有?|[从并尚]?未|并非|不再?", re.IGNORECASE
)
_LONGEST = 80  # characters before a fact in which a negation is looked for


class Telling(NamedTuple):
    """The places at which a text says a fact, and those at which it denies it.

    A denied one is a single word, from the words that deny the fact to its end.
    """

    said: list[Stretch]
    denied: list[Stretch]


class Statement:
    """An answer, which says a fact, denies it, or leaves it out."""

    def __init__(self, text: str) -> None:
        self._words = Words(text)
        self._affirmed = Words(_NEGATION.sub(lambda found: " " * len(found.group()), text))

    def telling(self, fact: Fact) -> Telling:
        """Find where this text says the fact, and where it denies it."""
        places = stretches(fact, self._words)
        if not places:
            return Telling([], stretches(fact, self._affirmed))
        telling = Telling([], [])
        for stretch in places:
            denial = denial_around(self._words.text, stretch[0].start, stretch[-1].end)
            if denial is None:
                telling.said.append(stretch)
            else:
                telling.denied.append((Word("", *denial),))
        return telling


def denial_around(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the characters of the words that deny a fact and of the fact; None where none do."""
    if before := _BEFORE.search(text, max(0, start - _LONGEST), start):
        return before.start(), end
    behind = _BEHIND.match(text, end)
    return (start, behind.end()) if behind else None
