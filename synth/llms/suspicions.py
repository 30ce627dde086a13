"""Which sentences only suspect something, which say that something is not so, and of what.

A sentence does either if it has a word for it, in English or Chinese. What it is about are the
words behind the verb ("ruled out DNS") or, where nothing follows it, those before it ("DNS was
ruled out").

>>> found = doubts(["They suspected the cable.", "The cable was ruled out.", "A mouse did it."])
>>> found.suspected, found.rejecting, found.instead
({0}, {1}, {0: 1})
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from synth.text.words import telling_words


class Doubts(NamedTuple):
    """The numbers of the sentences that suspect and of those that reject something.

    `instead` leads from a suspicion that the text rejects to the last sentence that rejects it.
    """

    suspected: Set[int]
    rejecting: Set[int]
    instead: Mapping[int, int]


# Only a verb has its object behind it.
_SUSPECTS = re.compile(
    r"(?P<verb>\b(?:suspect(?:ed|s)?|(?:presum|assum|blam|guess)e[ds])\b|怀疑|猜测|推测|以为)"
    r"|\b(?:suspicion|hypothes[ie]s|probably|possibly|perhaps|maybe|apparently|believed|thought to"
    r"|seem(?:s|ed)|might|may have|could have)\b|疑似|疑为|可能是|也许|大概是|或许|似乎",
    re.IGNORECASE,
)
# "The setting was wrong" may be the answer itself; only of a theory does it say that it is not so.
_REJECTS = re.compile(
    r"(?P<verb>\b(?:ruled out|rules out|withdrew|rejected|refuted|disproved|dismissed)\b"
    r"|排除|推翻|否定|否认)"
    r"|\b(?:withdrawn|disproven|unfounded|innocent|false alarm|only seemed"
    r"|(?:had|with|to|without) (?:no|any) effect|(?:turned out|proved) not"
    r"|(?:that|this|it|hypothesis|theory|suspicion|guess|assumption)"
    r" (?:was|is|proved|turned out)(?: to be)? (?:wrong|false|mistaken)"
    r"|(?:was|were|is|are) not (?:the|its|their) (?:cause|reason|culprit)"
    r"|(?:did|do|does) not (?:start|cause|trigger|explain) (?:the|this|that|it|any))\b"
    r"|并非|无关|不成立|不是[^，。；]{0,8}(?:原因|起因)",
    re.IGNORECASE,
)
_NO_OBJECT = re.compile(
    r"[\s了]*(?:$|(?:at|by|in|on|after|before|when|since|as|for|first|because|soon|later)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^,;:.!?()，。；：！？（）\"“”]+")


def speaks_of_doubt(text: str) -> bool:
    """Return whether the text itself has a word for suspecting or rejecting."""
    return bool(_SUSPECTS.search(text) or _REJECTS.search(text))


def doubts(sentences: Sequence[str]) -> Doubts:
    """Find what the sentences suspect and reject; one that does both is taken for a rejection."""
    rejecting = {at for at, sentence in enumerate(sentences) if _REJECTS.search(sentence)}
    suspicions = {
        at: _topic_words(_SUSPECTS, sentence) or set(telling_words(sentence))
        for at, sentence in enumerate(sentences)
        if at not in rejecting and _SUSPECTS.search(sentence)
    }
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, about in suspicions.items():
        for word in about:
            places[word].append(at)
    instead: dict[int, int] = {}  # from the end, as the last rejection of a suspicion counts
    for at in sorted(rejecting, reverse=True) if suspicions else ():
        for word in _topic_words(_REJECTS, sentences[at]):
            for suspicion in places.pop(word, ()):
                instead.setdefault(suspicion, at)
    return Doubts(set(suspicions), rejecting, instead)


def _topic_words(cue: re.Pattern[str], sentence: str) -> set[str]:
    """Return the words for what a sentence suspects or rejects."""
    words: set[str] = set()
    for clause in _CLAUSE.findall(sentence):
        for match in cue.finditer(clause):
            behind = clause[match.end() :]
            has_object = match["verb"] and not _NO_OBJECT.match(behind)
            words |= set(telling_words(behind if has_object else clause[: match.start()]))
    return words
