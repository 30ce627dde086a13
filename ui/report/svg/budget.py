"""The budget of each call as bars, the window as a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ui.figures.budget import BudgetRow
from ui.figures.budget.bars import wording
from ui.figures.budget.row import reach
from ui.look.escape import short
from ui.look.theme import MEANINGS, SEGMENTS
from ui.report.svg.shapes import COLOURS, LETTER, Anchor, path, picture, rect, words

_TALL, _FLAT, _TALLEST = 32, 24, 1200  # pixels of a row, of one of many, and of all together
_READABLE = 14  # pixels of the lowest row that has words
_TOP, _BESIDE = 22, 92  # pixels above the bars, and at their right


def budget_svg(rows: Sequence[BudgetRow], width: int) -> str:
    """One bar for each call, all in the window of the first; `width` in pixels."""
    row = _TALL if len(rows) <= 12 else max(2.0, min(_FLAT, _TALLEST / len(rows)))
    legible = row >= _READABLE
    left = min(110.0, LETTER * max(len(call.label) for call in rows) + 10) if legible else 8.0
    if width < 400:
        left = min(left, 76.0)
    end = reach(rows)
    per_pixel = end / (width - left - _BESIDE)
    window = left + rows[0].budget.window / per_pixel
    parts: list[str] = []
    for at, call in enumerate(rows):
        top = _TOP + row * at
        parts += _bars(call, left, top, per_pixel, row, legible)
        if legible:
            middle = top + row / 2
            name = short(call.label, int((left - 8) / LETTER))
            parts.append(words(left - 8, middle, name, "end"))
            parts.append(words(width - 2, middle, _sum(call), "end", bold=bool(call.budget.over)))
    height = _TOP + row * len(rows) + 4
    parts.append(path(f"M{window:.1f} {_TOP - 6}V{height:.1f}", "line"))
    anchor: Anchor = "end" if window > width / 2 else "start"
    parts.append(words(window, 8, f"window {rows[0].budget.window:,}", anchor, bold=True))
    return picture(width, height, parts)


def _sum(call: BudgetRow) -> str:
    if call.budget.over:
        return f"▲ {call.budget.over:,} over"
    return f"{'≤ ' if call.bound else ''}{call.needed:,} / {call.budget.window:,}"


def _bars(
    call: BudgetRow, left: float, top: float, per_pixel: float, row: float, legible: bool
) -> Iterator[str]:
    """The segments of a call, with the longest words that fit."""
    gap, painted = (5, "m") if legible else (0, "f")
    for meaning in SEGMENTS:
        tokens = call.tokens(meaning)
        if not tokens:
            continue
        x, wide = left + call.start(meaning) / per_pixel, tokens / per_pixel
        yield rect(x, top + gap / 2, wide, row - gap, f"{painted}-{meaning}")
        text = wording(call, meaning, per_pixel) if legible else ""
        if text:
            colour = COLOURS.paint(meaning).label
            plate = f"f-{meaning}" if MEANINGS[meaning].sign.pattern else ""
            yield words(x + wide / 2, top + row / 2, text, "middle", colour, plate=plate)
