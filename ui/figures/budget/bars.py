"""The budget bars: one row per call, segments in the order of the prompt, the window a line.

Calls of one run share a window; where two runs alternate, each row has the line of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui.figures.budget.row import MANY, BudgetRow, hovers, reach, windows
from ui.look.escape import plot_text
from ui.look.theme import INK, MEANINGS, PAPER, SEGMENTS, Figure, base_figure, marker, note, paint

LEFT, RIGHT = 94, 106
GAP, TWO_LINES = 7, 36
"""Pixels between two bars, and of a row with a second line: the tokens over the window."""
LETTER, AROUND = 6.2, 5
"""Pixels of one letter in a segment, and of the room around its words."""


def budget_bars(
    rows: Sequence[BudgetRow],
    width: int = 880,
    row: int = 34,
    selected: int | None = None,
    left: int = LEFT,
) -> Figure:
    """One bar per call, on one scale; `selected` is a position in `rows`.

    `width` is the expected width of the figure, `left` the room for labels, in pixels: words
    that would not fit are left out.
    """
    end = reach(rows)
    per_pixel = end / (width - left - RIGHT)
    if any(call.budget.over for call in rows):
        row = max(row, TWO_LINES)
    segments = [name for name in SEGMENTS if any(call.tokens(name) for call in rows)]
    words = {name: [wording(call, name, per_pixel) for call in rows] for name in segments}
    sums = [call.arithmetic for call in rows]
    return base_figure(
        46 + row * len(rows),
        (left, RIGHT, 24, 22),
        [_segments(rows, name, words[name], sums) for name in segments],
        barmode="stack",
        bargap=GAP / row,
        annotations=[
            _window_note(max(windows(rows)), end),
            *(_sum_note(call, at) for at, call in enumerate(rows)),
            *(plate for name in segments for plate in _plates(rows, name, words[name])),
        ],
        shapes=_shapes(rows, selected, 0.5 - GAP / row / 2),
        xaxis={"range": [0, end * 1.002], "tickformat": ",", "nticks": 6, "ticksuffix": " "},
        yaxis={
            "range": [len(rows) - 0.38, -0.66],
            "tickvals": list(range(len(rows))),
            "ticktext": [plot_text(call.label, left // 7 + 1) for call in rows],
            "tickfont": {"size": 13, "color": INK},
        },
    )


def wording(row: BudgetRow, meaning: str, per_pixel: float) -> str:
    """The longest wording that fits the segment: "chunks 687", "687", or nothing."""
    tokens = row.tokens(meaning)
    number = f"≤ {tokens:,}" if row.bound and meaning == "answer" else f"{tokens:,}"
    for text in (f"{MEANINGS[meaning].short} {number}", number):
        if tokens / per_pixel > LETTER * len(text) + AROUND:
            return text
    return ""


def _segments(
    rows: Sequence[BudgetRow],
    meaning: str,
    words: Sequence[str],
    sums: Sequence[str],
) -> dict[str, Any]:
    """The segments of one meaning in all rows; on a hatch the words are plates instead."""
    hatched = MEANINGS[meaning].sign.pattern
    return {
        "type": "bar",
        "orientation": "h",
        "name": MEANINGS[meaning].label,
        "y": list(range(len(rows))),
        "x": [row.tokens(meaning) for row in rows],
        "marker": marker(meaning, pattern=len(rows) <= MANY),
        "text": ["" for _ in rows] if hatched else words,
        "textposition": "inside",
        "insidetextfont": {"size": 12, "color": paint(meaning).label},
        "hovertext": hovers(rows, meaning, sums),
    }


def _plates(rows: Sequence[BudgetRow], meaning: str, words: Sequence[str]) -> list[dict[str, Any]]:
    if not MEANINGS[meaning].sign.pattern:
        return []
    fill, _, label = paint(meaning)
    plate = {"color": label, "bgcolor": fill or PAPER, "borderpad": 0}
    return [
        note(row.start(meaning) + row.tokens(meaning) / 2, at, text, **plate)
        for at, (row, text) in enumerate(zip(rows, words, strict=True))
        if text
    ]


def _window_note(window: int, end: int) -> dict[str, Any]:
    """The window's number over its line, on the side that has room."""
    side = "right" if window > end / 3 else "left"
    text = f"<b>window {window:,}</b>"
    return note(window, -0.62, text, color=INK, yanchor="bottom", xanchor=side)


def _sum_note(row: BudgetRow, at: int) -> dict[str, Any]:
    """The tokens that a call needs, at the right; below them, the tokens over the window."""
    sign = "≤ " if row.bound else ""
    over = f"<br><b>▲ {row.budget.over:,} over</b>" if row.budget.over else ""
    text = f"{sign}<b>{row.needed:,}</b> / {row.budget.window:,}{over}"
    position = {"xref": "paper", "xanchor": "right", "xshift": RIGHT - 2, "align": "right"}
    return note(1, at, text, size=13, color=INK, **position)


def _shapes(rows: Sequence[BudgetRow], selected: int | None, half: float) -> list[dict[str, Any]]:
    """The window's line, dashes around assumed answers, and the frame of the selected row.

    Bars know no dashed outline, so the dashes are rectangles laid over them.
    """
    ink = {"color": INK, "width": 2}
    shapes: list[dict[str, Any]] = [
        {"type": "line", "x0": window, "x1": window, "y0": top, "y1": bottom, "line": ink}
        for window, top, bottom in _window_lines(rows)
    ]
    dashes = ink | {"width": 1.5, "dash": "3px,2px"}
    for at, row in enumerate(rows):
        if row.bound and (answer := row.tokens("answer")):
            start = row.start("answer")
            shapes.append(_box((start, start + answer), at, half, dashes))
    if selected is not None:
        whole = (0, max(rows[selected].budget.window, rows[selected].needed))
        shapes.append(_box(whole, selected, 0.5, ink | {"width": 2.5}))
    return shapes


def _window_lines(rows: Sequence[BudgetRow]) -> list[tuple[int, float, float]]:
    """Each window with the top and the bottom of its line: one line where all rows share it."""
    if len(windows(rows)) == 1:
        return [(rows[0].budget.window, -0.62, len(rows) - 0.38)]
    return [(row.budget.window, at - 0.5, at + 0.5) for at, row in enumerate(rows)]


def _box(span: tuple[int, int], at: int, half: float, line: dict[str, Any]) -> dict[str, Any]:
    """A rectangle over some tokens of row `at`."""
    edges = {"x0": span[0], "x1": span[1], "y0": at - half, "y1": at + half}
    return {"type": "rect", **edges, "line": line}
