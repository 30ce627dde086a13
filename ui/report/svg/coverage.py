"""Coverage: one strip for each chunk, with the text that was sent once, several times, or not."""

from __future__ import annotations

from collections.abc import Sequence

from synth.coverage import ChunkCoverage
from ui.figures.coverage import READABLE, Fate, strips
from ui.report.svg.shapes import COLOURS, picture, rect, words

_ROW, _TALLEST = 22, 1000  # pixels of a row, and of all rows together
_LEFT, _RIGHT = 66, 118
_STYLES: dict[Fate, str] = {"once": "m-context", "twice": "m-twice", "lost": "m-lost"}


def coverage_svg(chunks: Sequence[ChunkCoverage], width: int, missing: str) -> str:
    """The strips of all chunks on one scale of tokens; `width` in pixels.

    `missing` is the word for text that was not sent.
    """
    row = max(2.0, min(_ROW, _TALLEST / len(chunks)))
    legible = row >= READABLE
    left, right = (_LEFT, _RIGHT) if legible else (8, 8)
    scale = (width - left - right) / (max(chunk.tokens for chunk in chunks) or 1)
    parts: list[str] = []
    for at, chunk in enumerate(chunks):
        top, gap = row * at, 6 if legible else 0
        parts += [
            rect(
                left + strip.start * scale,
                top + gap / 2,
                (strip.end - strip.start) * scale,
                row - gap,
                _STYLES[strip.fate] if legible or strip.fate != "once" else "f-context",
            )
            for strip in strips(chunk)
        ]
        if legible:
            parts.append(words(left - 8, top + row / 2, f"chunk {chunk.number}", "end"))
            end = left + chunk.tokens * scale + 7
            colour = COLOURS.ink if chunk.lost else COLOURS.muted
            parts.append(words(end, top + row / 2, _sent(chunk, missing), colour=colour))
    return picture(width, row * len(chunks), parts)


def _sent(chunk: ChunkCoverage, missing: str) -> str:
    if chunk.lost:
        return f"{chunk.lost_tokens:,} of {chunk.tokens:,} {missing}"
    twice = chunk.repeated_tokens
    return f"{chunk.tokens:,} sent" + (f", {twice:,} twice" if twice else "")
