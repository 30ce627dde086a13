"""The figure of a prediction: the chunks and calls that are still empty, on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from synth.wording import counted
from ui.figures.budget import BudgetRow
from ui.look.theme import MEANINGS, SEGMENTS, Figure, Look, base_figure, marker, note

LEFT, RIGHT, TOP, BOTTOM = 94, 22, 6, 26
FIRST_CALL = 1.42
"""Rows from the chunks down to the first call; the number of the window is between them."""
MANY = 10
"""Calls; if there are more, their rows are low."""
ROOM = "context"
"""The segment of an empty call that is the room for chunks."""
LETTER = 6.4
THICK = 0.34
"""Half of a bar, in rows."""


def predict_figure(
    chunks: Sequence[int], calls: Sequence[BudgetRow], look: Look, width: int = 640
) -> Figure:
    """The tokens of the chunks in a row, and below it a bar for each empty call.

    In `calls` the segment of the chunks is the room for them; it is drawn dashed, without a number.
    `width` is the likely width of the figure, in pixels.
    """
    window = calls[0].budget.window
    end = max(window, sum(chunks), *(_extent(call) for call in calls))
    per_pixel = end / (width - LEFT - RIGHT)
    row_height = 56 if len(calls) <= 4 else 42 if len(calls) <= MANY else 28
    rows = [FIRST_CALL + at for at in range(len(calls))]
    return base_figure(
        look,
        TOP + BOTTOM + round(row_height * (rows[-1] + 1)),
        (LEFT, RIGHT, TOP, BOTTOM),
        [_chunks(chunks, look, per_pixel), *_parts(calls, rows, look)],
        barmode="overlay",
        annotations=[
            _window_note(window, end, look),
            *(_room_note(call, at, look, per_pixel) for call, at in zip(calls, rows, strict=True)),
        ],
        shapes=[
            _window_line(window, rows[-1], look),
            *(_room_box(call, at, look) for call, at in zip(calls, rows, strict=True)),
        ],
        xaxis={"range": [0, end * 1.002], "tickformat": ",", "nticks": 8, "ticksuffix": " "},
        yaxis={
            "range": [rows[-1] + 0.5, -0.5],
            "tickvals": [0, *rows],
            "ticktext": [counted(len(chunks), "chunk"), *(call.label for call in calls)],
            "tickfont": {"size": 13, "color": look.ink},
        },
    )


def predict_alt(chunks: Sequence[int], calls: Sequence[BudgetRow]) -> str:
    """The figure in one sentence, for screen readers."""
    return (
        f"{counted(len(chunks), 'chunk')} of {sum(chunks):,} tokens in all, above"
        f" {counted(len(calls), 'empty call')} in a window of {calls[0].budget.window:,} tokens,"
        " on one scale."
    )


def _extent(row: BudgetRow) -> int:
    return sum(row.tokens(meaning) for meaning in SEGMENTS)


def _chunks(chunks: Sequence[int], look: Look, per_pixel: float) -> dict[str, Any]:
    """The chunks one after the other, with their numbers if these fit."""
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


def _parts(calls: Sequence[BudgetRow], rows: Sequence[float], look: Look) -> list[dict[str, Any]]:
    """The parts of each empty call except the room for chunks."""
    names = [name for name in SEGMENTS if name != ROOM and any(call.tokens(name) for call in calls)]
    return [
        {
            "type": "bar",
            "orientation": "h",
            "name": MEANINGS[name].label,
            "y": list(rows),
            "x": [call.tokens(name) for call in calls],
            "base": [call.start(name) for call in calls],
            "width": 2 * THICK,
            "marker": marker(look, name),
            "hovertemplate": f"{MEANINGS[name].label}<br>%{{x:,}} tokens<extra></extra>",
        }
        for name in names
    ]


def _room_box(row: BudgetRow, at: float, look: Look) -> dict[str, Any]:
    """The room for chunks as a dashed box: bars of Plotly have no dashed outline."""
    start = row.start(ROOM)
    line = {"color": look.ink, "width": 1.5, "dash": "3px,2px"}
    edges = {"x0": start, "x1": start + row.tokens(ROOM), "y0": at - THICK, "y1": at + THICK}
    return {"type": "rect", **edges, "line": line}


def _room_note(row: BudgetRow, at: float, look: Look, per_pixel: float) -> dict[str, Any]:
    """The longest label that fits the room."""
    middle, pixels = row.start(ROOM) + row.tokens(ROOM) / 2, row.tokens(ROOM) / per_pixel
    labels = (("room for chunks: ?", "room for chunks: <b>?</b>"), ("room: ?", "room: <b>?</b>"))
    text = next((html for plain, html in labels if len(plain) * LETTER < pixels), "<b>?</b>")
    return note(look, middle, at, text if pixels > LETTER else "", size=13, color=look.ink)


def _window_line(window: int, last: float, look: Look) -> dict[str, Any]:
    ends = {"x0": window, "x1": window, "y0": FIRST_CALL - 0.72, "y1": last + 0.5}
    return {"type": "line", **ends, "line": {"color": look.ink, "width": 2}}


def _window_note(window: int, end: int, look: Look) -> dict[str, Any]:
    """The number of the window beside the top of its line, on the side that has room."""
    side, shift = ("right", -6) if window > 0.8 * end else ("left", 6)
    anchor = {"xanchor": side, "xshift": shift, "yanchor": "middle"}
    text = f"<b>window {window:,}</b>"
    return note(look, window, FIRST_CALL - 0.6, text, color=look.ink, **anchor)
