"""Coverage: each chunk a strip that shows what was sent once, sent twice, and never sent."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

import plotly.graph_objects as go

from synth.trace import ChunkCoverage
from ui.theme import Look, base_figure, marker, note

LEFT, RIGHT, TOP, BOTTOM = 78, 160, 26, 26
TALLEST = 1200

Fate = Literal["once", "twice", "lost"]
_WORDS: dict[Fate, str] = {"once": "sent once", "twice": "sent twice", "lost": "never sent"}


class Strip(NamedTuple):
    """A stretch of chunk `number` and what became of it, from token to token."""

    number: int
    fate: Fate
    start: float
    end: float


def strips(chunk: ChunkCoverage) -> list[Strip]:
    """A chunk's stretches in order, in tokens, which are spread evenly over its characters."""
    per_character = chunk.tokens / max(1, len(chunk.text))
    lost = set(chunk.lost)
    found = []
    fated = [(_fate(part.calls, part in lost), part) for part in chunk.stretches]
    for fate, group in groupby(fated, key=lambda pair: pair[0]):
        parts = [part for _, part in group]
        start, end = parts[0].start * per_character, parts[-1].end * per_character
        found.append(Strip(chunk.number, fate, round(start, 1), round(end, 1)))
    return found


def _fate(calls: Sequence[int], lost: bool) -> Fate:
    """White space that no call carried is not lost: nobody misses it."""
    if lost:
        return "lost"
    return "twice" if len(calls) > 1 else "once"


def coverage_strips(coverage: Sequence[ChunkCoverage], look: Look, width: int = 880) -> go.Figure:
    """A strip a chunk, on one scale; `width` is in pixels. A click gives the chunk's number.

    `customdata` of a strip is its chunk's number, first and last token.
    """
    count = len(coverage)
    row = max(3, min(25, TALLEST // max(1, count)))
    longest = max((chunk.tokens for chunk in coverage), default=0) or 1
    right = RIGHT if row >= 14 else 16
    every = [strip for chunk in coverage for strip in strips(chunk)]
    traces = [_trace(every, fate, look, row) for fate in _WORDS]
    step = 1 if row >= 14 else 10 if count <= 200 else 50
    ticks = [at for at in range(count) if step == 1 or at == 0 or (at + 1) % step == 0]
    return base_figure(
        look,
        TOP + BOTTOM + row * count,
        (LEFT, right, TOP, BOTTOM),
        [trace for trace in traces if trace["x"]],
        barmode="overlay",
        bargap=0.3 if row >= 14 else 0.1,
        annotations=_notes(coverage, look, row),
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
            "tickfont": {"size": 13, "color": look.ink},
        },
    )


def coverage_alt(coverage: Sequence[ChunkCoverage]) -> str:
    """The strips in one sentence, for those who can't see them."""
    total = sum(chunk.tokens for chunk in coverage)
    lost = sum(chunk.lost_tokens for chunk in coverage)
    cut = [chunk.number for chunk in coverage if chunk.lost]
    chunks = "1 chunk" if len(coverage) == 1 else f"{len(coverage):,} chunks"
    if not lost:
        return f"Coverage of {chunks}: all {total:,} tokens are sent."
    named = ", ".join(map(str, cut[:12])) + (" and others" if len(cut) > 12 else "")
    return f"Coverage of {chunks}: {lost:,} of {total:,} tokens are never sent, of chunk {named}."


def _trace(every: Sequence[Strip], fate: Fate, look: Look, row: int) -> dict[str, Any]:
    shown = [strip for strip in every if strip.fate == fate]
    return {
        "type": "bar",
        "orientation": "h",
        "name": _WORDS[fate],
        "y": [strip.number - 1 for strip in shown],
        "x": [round(strip.end - strip.start, 1) for strip in shown],
        "base": [strip.start for strip in shown],
        "marker": _marker(look, fate, line=1 if row >= 14 else 0),
        "customdata": [[strip.number, strip.start, strip.end] for strip in shown],
        "hovertemplate": "chunk %{customdata[0]}<br>" + _WORDS[fate] + ": tokens"
        " %{customdata[1]:,.0f} to %{customdata[2]:,.0f}<extra></extra>",
        "unselected": {"marker": {"opacity": 1}},
    }


def _marker(look: Look, fate: Fate, line: float) -> dict[str, Any]:
    if fate == "lost":
        return marker(look, "lost", line)
    shown = marker(look, "context", line)
    if fate == "twice":
        fill, edge, _ = look.paint("context")
        upright = {"shape": "|", "fgcolor": edge, "bgcolor": fill, "size": 6, "solidity": 0.3}
        shown["pattern"] = upright
    return shown


def _notes(coverage: Sequence[ChunkCoverage], look: Look, row: int) -> list[dict[str, Any]]:
    corner = {"xanchor": "left", "yanchor": "bottom"}
    notes = [note(look, 0, -0.6, "tokens of the chunk, from its start", **corner)]
    if row < 14:
        return notes
    place = {"size": 13, "xanchor": "left", "xshift": 8}
    for at, chunk in enumerate(coverage):
        color = look.ink if chunk.lost else look.muted
        notes.append(note(look, chunk.tokens, at, _words(chunk), color=color, **place))
    return notes


def _words(chunk: ChunkCoverage) -> str:
    if chunk.lost:
        return f"<b>lost {chunk.lost_tokens:,}</b> of {chunk.tokens:,}"
    if not chunk.text.strip():
        return "blank"
    twice = sum(strip.end - strip.start for strip in strips(chunk) if strip.fate == "twice")
    return f"{chunk.tokens:,} sent" + (f", {twice:,.0f} twice" if twice >= 0.5 else "")
