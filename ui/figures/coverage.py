"""Coverage: one strip per chunk that shows the text sent once, sent twice and cut off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

from synth.coverage import ChunkCoverage
from synth.wording import counted, numbered
from ui.look.escape import plot_text
from ui.look.theme import INK, MUTED, Figure, base_figure, marker, note, paint

LEFT, RIGHT, TOP, BOTTOM = 78, 160, 26, 26
ROW, READABLE, TALLEST = 25, 14, 1200
"""Pixels of a row, of the lowest row that still has words, and of all rows together."""

_HOVERED = 80  # characters of a strip that the pointer shows

Fate = Literal["once", "twice", "lost"]


class Strip(NamedTuple):
    """A stretch of a chunk, from token to token, and whether it was sent."""

    fate: Fate
    start: float
    end: float
    text: str


def strips(chunk: ChunkCoverage) -> list[Strip]:
    """A chunk's stretches in order, in tokens, which are spread evenly over its characters."""
    per_character = chunk.tokens / max(1, len(chunk.text))
    lost = set(chunk.lost)
    strips = []
    parts = [(_fate(part.calls, part in lost), part) for part in chunk.stretches]
    for fate, group in groupby(parts, key=lambda pair: pair[0]):
        stretches = [part for _, part in group]
        start, end = stretches[0].start, stretches[-1].end
        strips.append(
            Strip(
                fate,
                round(start * per_character, 1),
                round(end * per_character, 1),
                chunk.text[start:end],
            )
        )
    return strips


def _fate(calls: Sequence[int], lost: bool) -> Fate:
    """Whether a stretch was sent; white space that no call carried does not count as cut off."""
    if lost:
        return "lost"
    return "twice" if len(calls) > 1 else "once"


def coverage_strips(
    coverage: Sequence[ChunkCoverage], width: int = 880, missing: str = "cut off"
) -> Figure:
    """One strip per chunk, all on one scale; `width` is in pixels.

    `missing` is the word for text that no call carries.

    A click gives the chunk's number as `customdata`.
    """
    count = len(coverage)
    row = max(3, min(ROW, TALLEST // max(1, count)))
    words = row >= READABLE
    step = 1 if words else 10 if count <= 200 else 50
    ticks = [at for at in range(count) if at == 0 or (at + 1) % step == 0]
    names: dict[Fate, str] = {"once": "sent once", "twice": "sent twice", "lost": missing}
    line = 1 if words else 0
    traces = [_trace(coverage, fate, name, line) for fate, name in names.items()]
    longest = max((chunk.tokens for chunk in coverage), default=0) or 1
    return base_figure(
        TOP + BOTTOM + row * count,
        (LEFT, RIGHT if words else 16, TOP, BOTTOM),
        [trace for trace in traces if trace["x"]],
        barmode="overlay",
        bargap=0.3 if words else 0.1,
        annotations=[_axis_note(), *(_notes(coverage, missing) if words else ())],
        xaxis={
            "range": [0, longest * 1.001],
            "tickformat": ",",
            "nticks": 6 if width > 400 else 4,
            "ticksuffix": " ",
        },
        yaxis={
            "range": [count - 0.4, -0.6],
            "tickvals": ticks,
            "ticktext": [f"chunk {coverage[at].number}" for at in ticks],
            "tickfont": {"size": 13, "color": INK},
        },
    )


def coverage_alt(coverage: Sequence[ChunkCoverage], missing: str = "cut off") -> str:
    """The strips in one sentence, for those who can't see them; `missing` as for the strips."""
    total = sum(chunk.tokens for chunk in coverage)
    lost = sum(chunk.lost_tokens for chunk in coverage)
    cut = [chunk.number for chunk in coverage if chunk.lost]
    chunks = counted(len(coverage), "chunk")
    if not lost:
        return f"Coverage of {chunks}: all {total:,} tokens are sent."
    named = numbered("chunk", cut)
    return f"Coverage of {chunks}: {lost:,} of {total:,} tokens are {missing}, of {named}."


def _trace(coverage: Sequence[ChunkCoverage], fate: Fate, name: str, line: float) -> dict[str, Any]:
    bars = [
        (at, chunk.number, strip.start, strip.end, plot_text(strip.text, _HOVERED))
        for at, chunk in enumerate(coverage)
        for strip in strips(chunk)
        if strip.fate == fate
    ]
    return {
        "type": "bar",
        "orientation": "h",
        "name": name,
        "y": [at for at, *_ in bars],
        "x": [round(end - start, 1) for _, _, start, end, _ in bars],
        "base": [start for _, _, start, *_ in bars],
        "marker": _marker(fate, line),
        "customdata": [number for _, number, *_ in bars],
        "hovertext": [
            f"chunk {number}<br>{name}: tokens {start:,.0f} to {end:,.0f}<br>{text}"
            for _, number, start, end, text in bars
        ],
    }


def _marker(fate: Fate, line: float) -> dict[str, Any]:
    if fate == "lost":
        return marker("lost", line)
    options = marker("context", line)
    if fate == "twice":
        fill, edge, _ = paint("context")
        upright = {"shape": "|", "fgcolor": edge, "bgcolor": fill, "size": 6, "solidity": 0.3}
        options["pattern"] = upright
    return options


def _axis_note() -> dict[str, Any]:
    text = "tokens of the chunk, from its start"
    return note(0, -0.6, text, xanchor="left", yanchor="bottom")


def _notes(coverage: Sequence[ChunkCoverage], missing: str) -> Iterator[dict[str, Any]]:
    """The tokens that were sent of each chunk, at the end of its strip."""
    position = {"size": 13, "xanchor": "left", "xshift": 8}
    for at, chunk in enumerate(coverage):
        color = INK if chunk.lost else MUTED
        yield note(chunk.tokens, at, _words(chunk, missing), color=color, **position)


def _words(chunk: ChunkCoverage, missing: str) -> str:
    if chunk.lost:
        return f"<b>{missing} {chunk.lost_tokens:,}</b> of {chunk.tokens:,}"
    if not chunk.text.strip():
        return "blank"
    twice = chunk.repeated_tokens
    return f"{chunk.tokens:,} sent" + (f", {twice:,} twice" if twice else "")
