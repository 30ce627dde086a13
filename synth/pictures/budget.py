"""The budget of calls: one bar a call, or for many calls a strip of thin columns.

A bar has its segments in the order of the prompt, and the window is a line. Calls of one run share
a window; where two runs alternate, each row has the line of its own. Where the chat template is too
thin to be seen, the first tokens of a call can be magnified above the bars.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from synth.pictures.meanings import MEANINGS, SEGMENTS
from synth.pictures.shapes import Anchor, Box, Label, Path, Picture, Point
from synth.pictures.words import fitting, shortened
from synth.prompts.kinds import SpanKind
from synth.runs.budget import Budget
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.trace import Plan, Trace
from synth.text.wording import Bold, counted, short

BARS = 40
"""The most calls that are shown as bars; more calls are a strip."""

_FEW, _ROWS = 12, (34, 26)  # calls; pixels of a row of so many, and of more
_LEFT, _RIGHT = 94, 106  # pixels beside the bars
_TOP, _BOTTOM = 24, 22  # pixels above and below them
_GAP, _AROUND, _LINE = 7, 5, 16  # between two bars, around words, a further line of a row
_FIRST, _THIN = 96, 16  # tokens that are magnified, where the chat template has fewer pixels
_LENS, _LENS_WIDE = 24, 0.8  # the height of the magnified bar, its share of the width
_STRIP = 190, 64, 76, 24, 44  # the height of the strip and its margins
_DRAWN = tuple(kind for kind in SEGMENTS if kind not in ("padding", "free"))  # in the strip


@dataclass(frozen=True)
class BudgetRow:
    """The budget of one call; `bound`: its answer segment is the longest that was assumed."""

    label: str
    budget: Budget
    bound: bool

    @cached_property
    def segments(self) -> list[tuple[str, int]]:
        """Each meaning that has tokens in this call, with these."""
        return [(kind, tokens) for kind in SEGMENTS if (tokens := self.budget.tokens(kind))]

    @property
    def needed(self) -> int:
        """Tokens of the prompt and of the answer it leaves room for."""
        return self.budget.prompt + self.budget.reserved

    @property
    def arithmetic(self) -> str:
        """The sum of the segments that makes up the window, on two lines."""
        budget = self.budget
        terms = " + ".join(f"{MEANINGS[kind].short} {tokens:,}" for kind, tokens in self.segments)
        over = f" + {budget.over:,} over" if budget.over else ""
        return f"{short(self.label, 24)}: {terms}\n= window {budget.window:,}{over}"

    def number(self, kind: str, tokens: int) -> str:
        """The tokens of a segment as they are written."""
        return f"≤ {tokens:,}" if self.bound and kind == "answer" else f"{tokens:,}"


def budget_row(run: Plan | Trace, call: PlannedCall | CallRecord) -> BudgetRow:
    """The budget of a call of a run."""
    name = call.template.removesuffix("_template")
    bound = isinstance(run, Plan) and call.depth > 0
    return BudgetRow(f"{call.number} · {name}", run.budget(call), bound)


def legend_kinds(rows: Sequence[BudgetRow]) -> list[str]:
    """The meanings that a legend of these budgets names."""
    there = {kind for row in rows for kind, _ in row.segments}
    return [kind for kind in SEGMENTS if kind in there]


def budget_bars(
    rows: Sequence[BudgetRow],
    width: int,
    row: int | None = None,
    magnified: bool = False,
) -> Picture:
    """One bar per call, on one scale.

    `row` is the pixels of a row. If `magnified`, the first tokens of the first call stand above,
    where its chat template is too thin to be seen.
    """
    row = row or _ROWS[len(rows) > _FEW]
    row = max(row, *(20 + _LINE * len(_below_sum(call)) for call in rows))
    end = reach(rows)
    pixel, template = end / (width - _LEFT - _RIGHT), rows[0].budget.tokens(SpanKind.FRAME)
    above = _LENS * (magnified and 0 < template < _THIN * pixel)
    top, height = above + _TOP, row * len(rows)
    picture = Picture(
        width, top + height + _BOTTOM, budget_alt(rows), (0, end * 1.002), _LEFT, _RIGHT
    )
    if above:
        _magnified(picture, rows[0], top + _GAP / 2)
    for at, call in enumerate(rows):
        _draw_bar(picture, call, top + row * at + _GAP / 2, row - _GAP)
    picture.add(Path(_window_lines(rows, top, row), "rule"))
    picture.add(window_number(max(_windows(rows)), end, top - 5))
    picture.numbers(top + height, most=6)
    return picture


def _magnified(picture: Picture, row: BudgetRow, bar: float) -> None:
    """The first tokens of a call as a wide bar, and where they stand in its bar below."""
    first = min(_FIRST, row.needed)
    wide = picture.ends[1] * _LENS_WIDE
    outline = [(0, _LENS), (wide, _LENS), (first, bar), (0, bar)]
    picture.add(Path([outline], "lens"))
    _segments(picture, row, (0, _LENS), wide / first, first)
    picture.name(_LENS / 2, "magnified", "muted")


def _draw_bar(picture: Picture, row: BudgetRow, top: float, high: float) -> None:
    """The segments of a call with their words, its label, and the tokens it needs."""
    middle = top + high / 2
    _segments(picture, row, (top, high))
    picture.name(middle, shortened(row.label, picture.left, 13), size=13)
    picture.add(Label(picture.ends[1], middle, _sum(row), "", "end", _RIGHT - 2, 13))


def _segments(
    picture: Picture,
    row: BudgetRow,
    place: tuple[float, float],
    scale: float = 1,
    first: float = inf,
) -> None:
    """The `first` tokens of a call, `scale` times as wide, at a `place` from the top and so high.

    A segment that is cut says what it is, without its number.
    """
    (top, high), start, sums, words = place, 0, row.arithmetic, []
    for kind, tokens in row.segments:
        left, right = start * scale, min(start + tokens, first) * scale
        start += tokens
        if left >= right:
            break
        bound = " bound" if row.bound and kind == "answer" else ""
        says = f"{MEANINGS[kind].label} {tokens:,}\n{sums}"
        picture.add(Box(left, right, top, high, f"k-{kind}{bound}", says))
        number, name = row.number(kind, tokens), MEANINGS[kind].short
        choices = (f"{name} {number}", number) if start <= first else (f"{name} …", "…")
        if text := fitting(choices, (right - left) / picture.pixel - _AROUND):
            plate = "plate " * MEANINGS[kind].hatched
            words.append(Label((left + right) / 2, top + high / 2, text, f"{plate}on-{kind}"))
    picture.add(*words)


def _sum(row: BudgetRow) -> list[str]:
    """The tokens that a call needs, and what is said below them."""
    parts = ["≤ " * row.bound, Bold(f"{row.needed:,}"), f" / {row.budget.window:,}"]
    return parts + [part for line in _below_sum(row) for part in ("\n", line)]


def _below_sum(row: BudgetRow) -> list[str]:
    """The tokens over the window, and those of the reasoning, where there are any."""
    over, reasoning = row.budget.over, row.budget.reasoning
    lines: list[str] = [Bold(f"▲ {over:,} over")] if over else []
    return [*lines, f"{reasoning:,} reasoning"] if reasoning else lines


def _windows(rows: Sequence[BudgetRow]) -> set[int]:
    """The windows of these calls; those of one run have the same."""
    return {row.budget.window for row in rows}


def reach(rows: Sequence[BudgetRow]) -> int:
    """The tokens that an axis must hold: the windows, and what goes over them."""
    return max(*_windows(rows), *(row.needed for row in rows))


def _window_lines(rows: Sequence[BudgetRow], top: float, row: int) -> list[list[Point]]:
    """The line of each window below `top`: one line where all rows share it."""
    if len(_windows(rows)) == 1:
        window = rows[0].budget.window
        return [[(window, top - 4), (window, top + row * len(rows) + 2)]]
    return [
        [(call.budget.window, top + row * at), (call.budget.window, top + row * (at + 1))]
        for at, call in enumerate(rows)
    ]


def window_number(window: int, end: int, y: float) -> Label:
    """A window's number over its line at pixel `y`, on the side that has room."""
    anchor: Anchor = "end" if window > end / 3 else "start"
    return Label(window, y, Bold(f"window {window:,}"), anchor=anchor, side="above")


def budget_strip(rows: Sequence[BudgetRow], width: int, selected: int | None = None) -> Picture:
    """One column per call, for more than bars can show; `selected` is a position in `rows`."""
    height, left, right, above, below = _STRIP
    window, bottom, end = rows[0].budget.window, height - below, reach(rows) * 1.08
    pixel = end / (bottom - above)
    ends = 0.4, len(rows) + 0.6
    picture = Picture(width, height, budget_alt(rows), ends, left, right)
    _areas(picture, rows, lambda tokens: bottom - tokens / pixel)
    if selected is not None:
        picture.add(Box(selected + 0.5, selected + 1.5, above, bottom - above, "frame"))
    level = bottom - window / pixel
    number = Bold(f"window\n{window:,}")
    picture.add(
        Path([[(ends[0], level), (ends[1], level)]], "rule"),
        Label(ends[1], level, number, "", "start", 6),
        Label(ends[0], above - 10, "tokens", "muted", "end", -6),
    )
    picture.scale(bottom, above, end, most=4)
    picture.numbers(bottom, title="call")
    return picture


def _areas(picture: Picture, rows: Sequence[BudgetRow], y: Callable[[int], float]) -> None:
    """One area for each meaning, on the one before, and an unseen box for what each call says.

    `y` is the pixel at which so many tokens end. A browser takes longer to draw thousands of boxes
    than the rest of the page.
    """
    below = [0] * len(rows)
    for kind in _DRAWN:
        above = [low + row.budget.tokens(kind) for low, row in zip(below, rows, strict=True)]
        if above != below:
            line = [*_steps(above), *reversed(_steps(below))]
            picture.add(Path([[(x, y(tokens)) for x, tokens in line]], f"area k-{kind} plain bare"))
        below = above
    for at, row in enumerate(rows):
        tall = y(0) - y(row.needed)
        picture.add(Box(at + 0.5, at + 1.5, y(row.needed), tall, "clear", row.arithmetic))


def _steps(heights: Sequence[int]) -> list[tuple[float, int]]:
    """The height at both edges of each column."""
    return [(at + edge, high) for at, high in enumerate(heights) for edge in (0.5, 1.5)]


def budget_alt(rows: Sequence[BudgetRow]) -> str:
    """The budgets in one sentence, for those who can't see them."""
    named = " and ".join(f"{window:,}" for window in sorted(_windows(rows)))
    fullest = max(rows, key=lambda row: row.needed)
    calls = counted(len(rows), "call")
    at_most = "at most " if fullest.bound else ""
    over = f", {fullest.budget.over:,} over" if fullest.budget.over else ""
    return (
        f"Budget of {calls} in a window of {named} tokens; the fullest needs"
        f" {at_most}{fullest.needed:,}{over}."
    )
