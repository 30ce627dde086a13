"""Which words of an answer also stand in a chunk, in the same order.

A lexical match, no proof: a model may have read a fact in one chunk and worded it like
another, or known it before; and what it said in its own words matches nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from synth.ranking import words as telling_words
from ui.look.escape import escape
from ui.text.split_words import Word, split_words

NOTE = (
    "Marked is what stands in a chunk word for word: three words in a row or more, or six"
    " Chinese, Japanese or Korean characters. This compares letters; it does not prove where"
    " the model took them from."
)

_LEAST = 6  # the weight of three words
_TRIED = 50  # places of one opening in the chunks; more of them would say nothing

Place = tuple[int, int]
"""The position of a chunk, and of a word in it."""


class Match(NamedTuple):
    """Characters `start` to `end` of an answer, and the number of the chunk that has them too."""

    start: int
    end: int
    chunk: int | None


def matches(answer: str, chunks: Sequence[str]) -> list[Match]:
    """The whole answer in stretches: longest runs of words that a chunk has, and the rest.

    Of chunks with runs of the same length the first one counts. Signs and case don't matter;
    a run of nothing but "and it was the" does not count.
    """
    words = [word._replace(text=word.text.lower()) for word in split_words(answer) if word.weight]
    openings = {opening for at in range(len(words)) if (opening := _opening(words, at))}
    texts = [[word for word in split_words(chunk.lower()) if word.weight] for chunk in chunks]
    places = _places(texts, openings)
    found, done = [], 0
    for first, last, chunk in _runs(words, texts, places):
        start, end = words[first].start, words[last - 1].end
        if telling_words(answer[start:end]):
            found += [Match(done, start, None), Match(start, end, chunk)]
            done = end
    found.append(Match(done, len(answer), None))
    return [match for match in found if match.start < match.end]


def _opening(words: Sequence[Word], at: int) -> tuple[str, ...] | None:
    """The words from `at` on that are just enough for a match."""
    weight = 0
    for end in range(at, len(words)):
        weight += words[end].weight
        if weight >= _LEAST:
            return tuple(word.text for word in words[at : end + 1])
    return None


def _places(
    texts: Sequence[Sequence[Word]], openings: set[tuple[str, ...]]
) -> dict[tuple[str, ...], list[Place]]:
    """Where the openings stand in the chunks."""
    first = {opening[0] for opening in openings}
    found: dict[tuple[str, ...], list[Place]] = defaultdict(list)
    for chunk, words in enumerate(texts):
        for at, word in enumerate(words):
            opening = _opening(words, at) if word.text in first else None
            if opening in openings and len(found[opening]) < _TRIED:
                found[opening].append((chunk, at))
    return found


def _runs(
    words: Sequence[Word],
    texts: Sequence[Sequence[Word]],
    places: dict[tuple[str, ...], list[Place]],
) -> Iterator[tuple[int, int, int]]:
    """First word, the one after the last, and the number of the chunk of each run."""
    at = 0
    while at < len(words):
        opening = _opening(words, at)
        candidates = places.get(opening, []) if opening else []
        lengths = [(_same(words, at, texts[chunk], start), -chunk) for chunk, start in candidates]
        length, chunk = max(lengths, default=(0, 0))
        if length:
            yield at, at + length, 1 - chunk
        at += length or 1


def _same(words: Sequence[Word], at: int, others: Sequence[Word], start: int) -> int:
    """How many words are the same from two places on."""
    most = min(len(words) - at, len(others) - start)
    differ = (step for step in range(most) if words[at + step].text != others[start + step].text)
    return next(differ, most)


def provenance_html(answer: str, found: Sequence[Match]) -> str:
    """The answer as plain text, with a tint and a tag on what a chunk has too."""
    shown = "".join(_marked(answer[start:end], chunk) for start, end, chunk in found)
    return f'<div class="prompt" dir="auto">{shown}</div>'


def _marked(text: str, chunk: int | None) -> str:
    if chunk is None:
        return escape(text)
    tag = f'<span class="from from-context">chunk {chunk}</span>'
    return f'{tag}<span class="s-context">{escape(text)}</span>'
