"""The picture of a prediction: the chunks, and calls that are still empty, on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from synth.wording import counted
from ui.figures.budget import BudgetRow
from ui.look.theme import MEANINGS, SEGMENTS, Figure, Look, base_figure, marker, note

LEFT, RIGHT, TOP, BOTTOM = 94, 22, 6, 26
FIRST_CALL = 1.42
"""Where the first call stands below the chunks, in rows: the window's number is between them."""
MANY = 10
"""Calls above which rows are low."""
ROOM = "context"
"""The segment of an empty call that chunks could take."""
LETTER = 6.4
THICK = 0.34
"""Half of a bar, in rows."""


def predict_figure(
    chunks: Sequence[int], calls: Sequence[BudgetRow], look: Look, width: int = 640
) -> Figure:
    """The tokens of the chunks in a row, and below it a bar for each empty call.

    In `calls` the chunks' segment is the room for them; it is drawn open, without a number.
    `width` is what the page is likely to give the figure, in pixels.
    """
    window = calls[0].budget.window
    end = max(window, sum(chunks), *(_extent(row) for row in calls))
    per_pixel = end / (width - LEFT - RIGHT)
    row = 56 if len(calls) <= 4 else 42 if len(calls) <= MANY else 28
    places = [FIRST_CALL + at for at in range(len(calls))]
    return base_figure(
        look,
        TOP + BOTTOM + round(row * (places[-1] + 1)),
        (LEFT, RIGHT, TOP, BOTTOM),
        [_chunks(chunks, look, per_pixel), *_parts(calls, places, look)],
        barmode="overlay",
        annotations=[
            _window_note(window, end, look),
            *(_room_note(one, at, look, per_pixel) for one, at in zip(calls, places, strict=True)),
        ],
        shapes=[
            _window_line(window, places[-1], look),
            *(_room_box(one, at, look) for one, at in zip(calls, places, strict=True)),
        ],
        xaxis={"range": [0, end * 1.002], "tickformat": ",", "nticks": 8, "ticksuffix": " "},
        yaxis={
            "range": [places[-1] + 0.5, -0.5],
            "tickvals": [0, *places],
            "ticktext": [counted(len(chunks), "chunk"), *(one.label for one in calls)],
            "tickfont": {"size": 13, "color": look.ink},
        },
    )


def predict_alt(chunks: Sequence[int], calls: Sequence[BudgetRow]) -> str:
    """The picture in one sentence, for those who can't see it."""
    return (
        f"{counted(len(chunks), 'chunk')} of {sum(chunks):,} tokens in all, above"
        f" {counted(len(calls), 'empty call')} in a window of {calls[0].budget.window:,} tokens,"
        " on one scale."
    )


def _extent(row: BudgetRow) -> int:
    return sum(row.tokens(meaning) for meaning in SEGMENTS)


def _chunks(chunks: Sequence[int], look: Look, per_pixel: float) -> dict[str, Any]:
    """The chunks one after the other, with their numbers where these fit."""
    starts = [sum(chunks[:at]) for at in range(len(chunks))]
    numbers = list(range(1, len(chunks) + 1))
    least = min(chunks, default=0) / per_pixel
    fits = least >= LETTER * len(str(len(chunks))) + 4
    return {
        "type": "bar",
        "orientation": "h",
        "name": MEANINGS["context"].label,
        "y": [0] * len(chunks),
        "x": list(chunks),
        "base": starts,
        "width": 2 * THICK,
        "marker": marker(look, "context", line=1 if len(chunks) <= 80 else 0),
        "text": [str(at) if fits else "" for at in numbers],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "constraintext": "none",
        "insidetextfont": {"size": 12, "color": look.paint("context").label},
        "customdata": numbers,
        "hovertemplate": "chunk %{customdata}<br>%{x:,} tokens<extra></extra>",
    }


def _parts(calls: Sequence[BudgetRow], places: Sequence[float], look: Look) -> list[dict[str, Any]]:
    """What an empty call holds already, and what is kept free in it."""
    shown = [name for name in SEGMENTS if name != ROOM and any(one.tokens(name) for one in calls)]
    return [
        {
            "type": "bar",
            "orientation": "h",
            "name": MEANINGS[name].label,
            "y": list(places),
            "x": [one.tokens(name) for one in calls],
            "base": [one.start(name) for one in calls],
            "width": 2 * THICK,
            "marker": marker(look, name),
            "hovertemplate": f"{MEANINGS[name].label}<br>%{{x:,}} tokens<extra></extra>",
        }
        for name in shown
    ]


def _room_box(row: BudgetRow, at: float, look: Look) -> dict[str, Any]:
    """The open room, dashed: Plotly's bars know no dashed outline."""
    start = row.start(ROOM)
    line = {"color": look.ink, "width": 1.5, "dash": "3px,2px"}
    edges = {"x0": start, "x1": start + row.tokens(ROOM), "y0": at - THICK, "y1": at + THICK}
    return {"type": "rect", **edges, "line": line}


def _room_note(row: BudgetRow, at: float, look: Look, per_pixel: float) -> dict[str, Any]:
    """The longest wording that fits the room."""
    middle, pixels = row.start(ROOM) + row.tokens(ROOM) / 2, row.tokens(ROOM) / per_pixel
    wordings = (("room for chunks: ?", "room for chunks: <b>?</b>"), ("room: ?", "room: <b>?</b>"))
    text = next((html for plain, html in wordings if len(plain) * LETTER < pixels), "<b>?</b>")
    return note(look, middle, at, text if pixels > LETTER else "", size=13, color=look.ink)


def _window_line(window: int, last: float, look: Look) -> dict[str, Any]:
    ends = {"x0": window, "x1": window, "y0": FIRST_CALL - 0.72, "y1": last + 0.5}
    return {"type": "line", **ends, "line": {"color": look.ink, "width": 2}}


def _window_note(window: int, end: int, look: Look) -> dict[str, Any]:
    """The window's number beside the top of its line, on the side that has room."""
    side, shift = ("right", -6) if window > 0.8 * end else ("left", 6)
    place = {"xanchor": side, "xshift": shift, "yanchor": "middle"}
    text = f"<b>window {window:,}</b>"
    return note(look, window, FIRST_CALL - 0.6, text, color=look.ink, **place)
