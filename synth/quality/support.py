"""Which numbers and names of a response stand in text that was sent."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from synth.quality.facts import Word, Words
from synth.runs.trace import Trace


@lru_cache(maxsize=512)  # the runs of a comparison send the same chunks
def _read(text: str) -> tuple[Word, ...]:
    return Words(text).words


_CITATION = re.compile(r"[\[【［]\d{1,3}(?:\s*[,;，、]\s*\d{1,3})*[\]】］]")
_NUMBERING = re.compile(r"^[ \t]*(?:Response )?\d{1,3}[.):](?=\s|$)", re.MULTILINE)
_NAME = re.compile(r"[^\W\d_a-z][\w]*(?:[-'’][^\W\d_]\w*)*")
_BEGINS_SENTENCE = re.compile(r"(?:^|[.!?:。！？：\n])[\s\"'“‘(*#>-]*\Z")
_INNER_CAPITAL = re.compile(r".+[A-Z0-9]")
_PRONOUNS = {"I", "I'm", "I’m", "I'd", "I’d", "I've", "I’ve", "I'll", "I’ll"}


class Mention(NamedTuple):
    """A number or name at characters `start` to `end` of the response."""

    text: str
    start: int
    end: int
    founded: bool


def find_mentions(trace: Trace) -> tuple[Mention, ...]:
    """Return the numbers and names of the response, in its order."""
    response = trace.response or ""
    for pattern in (_CITATION, _NUMBERING):
        response = pattern.sub(lambda match: " " * len(match.group()), response)
    texts = (*trace.setup.chunks, trace.setup.query)
    known = {word.form for text in texts for word in _read(text)}
    every = [*_numbers(response, known), *_names(response, known)]
    return tuple(sorted(every, key=lambda mention: mention.start))


def find_unfounded(trace: Trace) -> tuple[Mention, ...]:
    """Return the mentions of the response that stand nowhere in the chunks or the question."""
    return tuple(mention for mention in find_mentions(trace) if not mention.founded)


def _numbers(response: str, known: set[str]) -> Iterator[Mention]:
    for form, start, end in _read(response):
        if any(map(str.isdigit, form)):
            yield Mention(response[start:end], start, end, form in known)


def _names(response: str, known: set[str]) -> Iterator[Mention]:
    for match in _NAME.finditer(response):
        name = match.group()
        at = match.start()
        begins_sentence = _BEGINS_SENTENCE.search(response, max(0, at - 20), at)
        if not name[0].isupper() or name in _PRONOUNS:
            continue
        if begins_sentence and not _INNER_CAPITAL.match(name):
            continue
        words = [word.form for word in _read(name) if len(word.form) > 1]
        if words and not any(map(str.isdigit, "".join(words))):
            yield Mention(name, *match.span(), all(word in known for word in words))
