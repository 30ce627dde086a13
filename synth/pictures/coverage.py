"""Coverage: one strip per chunk that shows the text sent once, sent twice, unread and cut off."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from synth.pictures.meanings import MEANINGS
from synth.pictures.shapes import Box, Label, Picture
from synth.pictures.words import thinned
from synth.runs.coverage import ChunkCoverage, CoverageKind
from synth.text.wording import Bold, counted, numbered, short

_LEFT, _RIGHT, _TOP, _BOTTOM = 78, 160, 26, 26  # pixels around the strips
_ROW, _READABLE, _TALLEST = 25, 14, 1200
"""Pixels of a row, of the lowest row that still has words, and of all rows together."""
_APART = 24  # pixels between the names of rows that are too low for words
_HOVERED = 80  # characters of a strip that the pointer shows


UNREAD = MEANINGS["unread"].label
_NAMES = {"context": "sent once", "twice": "sent twice", "unread": UNREAD}


class Strip(NamedTuple):
    """A stretch of a chunk, from token to token; `kind` is what became of it."""

    kind: CoverageKind
    start: float
    end: float
    text: str


def strips(chunk: ChunkCoverage) -> list[Strip]:
    """A chunk's stretches in order, in tokens, which are spread evenly over its characters.

    White space that no call carried does not count as cut off.
    """
    rate = chunk.tokens / max(1, len(chunk.text))
    parts = [(chunk.kind(part), part) for part in chunk.stretches]
    found = []
    for kind, group in groupby(parts, key=lambda pair: pair[0]):
        stretches = [part for _, part in group]
        start, end = stretches[0].start, stretches[-1].end
        found.append(Strip(kind, start * rate, end * rate, chunk.text[start:end]))
    return found


def coverage_strips(
    coverage: Sequence[ChunkCoverage], width: int, missing: str = "cut off"
) -> Picture:
    """One strip per chunk, all on one scale; a click tells "chunk" and its number.

    `missing` is the word for text that no call carries.
    """
    count = len(coverage)
    row = max(3, min(_ROW, _TALLEST // max(1, count)))
    readable = row >= _READABLE
    longest = max((chunk.tokens for chunk in coverage), default=0) or 1
    bottom = _TOP + row * count
    alt = coverage_alt(coverage, missing)
    right = _RIGHT if readable else 16
    picture = Picture(width, bottom + _BOTTOM, alt, (0, longest * 1.001), _LEFT, right)
    picture.add(Label(0, _TOP - 10, "tokens of the chunk, from its start", "muted", "start"))
    middles = {chunk.number: _TOP + row * (at + 0.5) for at, chunk in enumerate(coverage)}
    for chunk in coverage:
        picture.add(*_boxes(chunk, middles[chunk.number], row, missing))
        if readable:
            kind = "" if chunk.lost or chunk.cut_by_server else "muted"
            words = _sent(chunk, missing)
            picture.add(Label(chunk.tokens, middles[chunk.number], words, kind, "start", 8, 13))
    for number in thinned(middles, _READABLE if readable else _APART):
        picture.name(middles[number], f"chunk {number}", size=13)
    picture.numbers(bottom, most=6)
    return picture


def _boxes(chunk: ChunkCoverage, middle: float, row: int, missing: str) -> list[Box]:
    """The strips of one chunk; what they say ends in the beginning of their text."""
    high = row * (0.7 if row >= _READABLE else 0.9)
    plain = "" if row >= _READABLE else " bare"
    return [
        Box(
            strip.start,
            strip.end,
            middle - high / 2,
            high,
            f"k-{strip.kind}{plain}",
            f"chunk {chunk.number}\n{_NAMES.get(strip.kind, missing)}:"
            f" tokens {strip.start:,.0f} to {strip.end:,.0f}\n{short(strip.text, _HOVERED)}",
            ("chunk", chunk.number),
        )
        for strip in strips(chunk)
    ]


def _sent(chunk: ChunkCoverage, missing: str) -> str | list[str]:
    """What was sent of a chunk, at the end of its strip."""
    if chunk.lost:
        return [Bold(f"{missing} {chunk.lost_tokens:,}"), f" of {chunk.tokens:,}"]
    if chunk.cut_by_server:
        return [Bold(f"never read {chunk.cut_by_server_tokens:,}"), f" of {chunk.tokens:,}"]
    if not chunk.text.strip():
        return "blank"
    twice = chunk.repeated_tokens
    return f"{chunk.tokens:,} sent" + (f", {twice:,} twice" if twice else "")


def coverage_alt(coverage: Sequence[ChunkCoverage], missing: str = "cut off") -> str:
    """The strips in one sentence, for those who can't see them; `missing` as for the strips."""
    total = sum(chunk.tokens for chunk in coverage)
    lost = sum(chunk.lost_tokens for chunk in coverage)
    cut = [chunk.number for chunk in coverage if chunk.lost]
    chunks = counted(len(coverage), "chunk")
    unread = sum(chunk.cut_by_server_tokens for chunk in coverage)
    torn = numbered("chunk", [chunk.number for chunk in coverage if chunk.cut_by_server])
    further = f" About {unread:,} were {UNREAD}, of {torn}." if unread else ""
    if not lost:
        return f"Coverage of {chunks}: all {total:,} tokens are sent.{further}"
    named = numbered("chunk", cut)
    return f"Coverage of {chunks}: {lost:,} of {total:,} tokens are {missing}, of {named}.{further}"
