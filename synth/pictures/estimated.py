"""The calls that an estimate plans, as long as they are for the model: where it ends is a line."""

from collections.abc import Sequence

from synth.pictures.budget import LEFT, RIGHT, BudgetRow, budget_alt, draw_bar
from synth.pictures.shapes import Path, Picture, Text
from synth.pictures.words import fitting

_ROW, _GAP, _BELOW = 36, 9, 18  # pixels of a row, between two bars, of the words below the last


def estimated_bars(
    rows: Sequence[BudgetRow], believed: Sequence[int], width: int, end: int
) -> Picture:
    """One bar for each call, and in each a dashed line where the estimate believes that it ends.

    `believed` are the tokens of prompt and room by the estimate. The scale goes to `end` tokens, as
    that of the bars above does, which name the window at its line.
    """
    bottom, window = _ROW * len(rows), rows[0].budget.window
    picture = Picture(width, bottom + _BELOW, budget_alt(rows), (0, end * 1.002), LEFT, RIGHT)
    for at, row in enumerate(rows):
        draw_bar(picture, row, _ROW * at + _GAP / 2, _ROW - _GAP)
    picture.add(Path([[(window, 0), (window, bottom)]], "rule"))
    tops = [_ROW * at + 1 for at in range(len(rows))]
    lines = [[(x, top), (x, top + _ROW - 2)] for x, top in zip(believed, tops, strict=True)]
    picture.add(Path(lines, "dots"))
    last = believed[-1]
    choices = [f"the estimate ends here: {last:,}", f"estimate {last:,}"]
    words = fitting(choices, last / picture.pixel)
    picture.add(Text(last, bottom + 3, words, "muted", "end", -2, side="below"))
    return picture
