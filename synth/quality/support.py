"""What of a response stands in text that was sent: runs of words, numbers, dates and names."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from synth.quality.citations import CITATION
from synth.quality.words import Words
from synth.runs.trace import Trace
from synth.text.words import SplitWord, telling_words, word_runs

_LABEL = re.compile(r"^Response \d+:", re.MULTILINE)
"""What accumulate writes before each answer; the model did not say it."""


def support_share(trace: Trace) -> float | None:
    """Return the share of the response's words in runs that a sent text has too; None of none."""
    response = trace.response or ""
    words = weighed_words(_LABEL.sub(lambda label: " " * len(label.group()), response))
    sent = [trace.setup.chunks[number - 1][start:end] for number, start, end in _sent(trace)]
    texts = list(map(weighed_words, dict.fromkeys(sent)))
    supported = sum(
        last - first
        for first, last, *_ in word_runs(words, texts)
        if telling_words(response[words[first].start : words[last - 1].end])
    )
    return supported / len(words) if words else None


def _sent(trace: Trace) -> Iterator[tuple[int, int, int]]:
    """Yield the stretches of chunks in each call; neighbours in one prompt are one stretch."""
    for call in trace.calls:
        stretches: list[tuple[int, int, int]] = []
        for kind, number, start, end in call.origins:
            if kind != "chunk":
                continue
            goes_on = stretches and (stretches[-1][0], stretches[-1][2]) == (number, start)
            first = stretches.pop()[1] if goes_on else start
            stretches.append((number, first, end))
        yield from stretches


@lru_cache(maxsize=512)  # the runs of a comparison send the same chunks
def weighed_words(text: str) -> tuple[SplitWord, ...]:
    """Split a text into words, where numbers, dates and units are made alike."""
    return tuple(
        SplitWord(form, start, end, 2 if len(form) > 1 or form.isascii() else 1)
        for form, start, end, *_ in Words(text).words
    )


_NUMBERING = re.compile(r"^[ \t]*(?:Response )?\d{1,3}[.):](?=\s|$)", re.MULTILINE)
_NAME = re.compile(r"[^\W\d_a-z][\w]*(?:[-'’][^\W\d_]\w*)*")
_BEGINS_SENTENCE = re.compile(r"(?:^|[.!?:。！？：\n])[\s\"'“‘(*#>-]*\Z")
_INNER_CAPITAL = re.compile(r".+[A-Z0-9]")
_PRONOUNS = {"I", "I'm", "I’m", "I'd", "I’d", "I've", "I’ve", "I'll", "I’ll"}


class Mention(NamedTuple):
    """A number, date or name at characters `start` to `end` of the response."""

    kind: Literal["number", "date", "name"]
    text: str
    start: int
    end: int
    founded: bool


def mentions(trace: Trace) -> tuple[Mention, ...]:
    """Return the numbers, dates and names of the response, in its order."""
    response = trace.response or ""
    for pattern in (CITATION, _NUMBERING):
        response = pattern.sub(lambda match: " " * len(match.group()), response)
    texts = (*trace.setup.chunks, trace.setup.query)
    known = {word.text for text in texts for word in weighed_words(text)}
    amounts = list(_amounts(response, known))
    for mention in amounts:  # the month of a date is no name
        blank = " " * (mention.end - mention.start)
        response = response[: mention.start] + blank + response[mention.end :]
    every = [*amounts, *_names(response, known)]
    return tuple(sorted(every, key=lambda mention: mention.start))


def unfounded(trace: Trace) -> tuple[Mention, ...]:
    """Return the mentions of the response that stand nowhere in the chunks or the question."""
    return tuple(mention for mention in mentions(trace) if not mention.founded)


def _amounts(response: str, known: set[str]) -> Iterator[Mention]:
    for word in weighed_words(response):
        if any(map(str.isdigit, word.text)):
            kind: Literal["number", "date"] = (
                "date" if re.search(r"\d[:-]\d", word.text) else "number"
            )
            text = response[word.start : word.end]
            yield Mention(kind, text, word.start, word.end, word.text in known)


def _names(response: str, known: set[str]) -> Iterator[Mention]:
    for match in _NAME.finditer(response):
        name = match.group()
        at = match.start()
        begins_sentence = _BEGINS_SENTENCE.search(response, max(0, at - 20), at)
        if not name[0].isupper() or name in _PRONOUNS:
            continue
        if begins_sentence and not _INNER_CAPITAL.match(name):
            continue
        words = [word.text for word in weighed_words(name) if len(word.text) > 1]
        if words and not any(map(str.isdigit, "".join(words))):
            yield Mention("name", name, *match.span(), all(word in known for word in words))
