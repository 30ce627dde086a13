"""The measures of a comparison, with a value per column: calls, tokens, dollars, answers."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from synth.runs.bounds import Bounds, Range
from synth.runs.trace import Plan, Trace
from synth.text.wording import LEAST_DOLLARS, dollars, percent, rounded_up
from synth.words.coverage_words import cut_off_tokens, sends_chunks
from ui.pages.compare.cells import Cell, any_ended

CUT_OFF = "cut off"
"""The name of the measure of text that is cut off: its bars are hatched."""


class Value(NamedTuple):
    """A measure of one column as text, and as a number unless a word stands in its place.

    `estimated`: it is a range or an upper bound.
    """

    text: str
    amount: float | None = None
    estimated: bool = False


@dataclass(frozen=True)
class MeasureRow:
    """One measure with a value for each column; `whole` is the most that a share can be."""

    name: str
    values: tuple[Value, ...]
    whole: float | None = None

    @property
    def texts(self) -> list[str]:
        """The values in words."""
        return [value.text for value in self.values]

    @property
    def amounts(self) -> list[float | None]:
        """The values as numbers."""
        return [value.amount for value in self.values]


class _Definition(NamedTuple):
    """A measure: `amount` reads it from a plan or a run, `text` formats it.

    `bound` gives what it is at most for every answer: before a run only this is shown, unless it
    is math.inf. `certain` gives the range that holds for every answer. `missing` is shown where
    the amount is None, and "not yet" where only a run has it. `whole` is as in `MeasureRow`. That
    of a column is the `total` of its runs.
    """

    name: str
    amount: Callable[[Cell, Plan | Trace], float | None]
    text: Callable[[float], str] = "{:,}".format
    bound: Callable[[Cell, Bounds], float] | None = None
    missing: str = ""
    certain: Callable[[Bounds], Range] | None = None
    whole: float | None = None
    only_run: bool = False
    total: Callable[[Iterable[float]], float] = sum


class _Part(NamedTuple):
    """A measure of one cell: with short and with long answers, and at most for every answer."""

    least: float
    highest: float
    most: float
    sure: bool


def measure_rows(columns: Sequence[Sequence[Cell]]) -> tuple[MeasureRow, ...]:
    """All measures of the cells of each column: of their runs, and of the plans of what has none.

    Cost is left out if no price is known, and the measures of answers where all is well. Seconds
    are shown for runs only, and not of the offline model: they would tell how busy the server is.
    """
    cells = [cell for column in columns for cell in column]
    ended = any_ended(cells)
    timed = ended and not all(cell.free for cell in cells)
    left_out = () if timed else (_SECONDS,)
    if not any(cell.price for cell in cells):
        left_out = (*left_out, _COST)
    left_out = (*left_out, *_without_news(cells))
    several = any(len(column) > 1 for column in columns)
    return tuple(
        MeasureRow(
            f"{measure.name} each" if several and measure.total is fmean else measure.name,
            tuple(_value(column, measure, ended) for column in columns),
            measure.whole,
        )
        for measure in _MEASURES
        if measure not in left_out
    )


def _value(column: Sequence[Cell], measure: _Definition, ended: bool) -> Value:
    """The measure of a column; beside runs that have `ended` a plan is dashed."""
    found = [_part(cell, measure) for cell in column]
    parts = [part for part in found if isinstance(part, _Part)]
    words = [part for part in found if isinstance(part, str)]
    if not parts or (words and measure.total is not fmean):
        return Value(words[0])
    least, highest, most = (
        measure.total(amounts) for amounts in list(zip(*parts, strict=True))[:3]
    )
    if all(cell.trace for cell in column):
        return Value(measure.text(highest), highest)
    if measure.bound and most < math.inf:
        most = rounded_up(most) if measure is _COST else most
        return Value(f"{'≤ ' if most else ''}{measure.text(most)}", most, bool(most))
    sure = all(part.sure for part in parts)
    text = measure.text(highest)
    if least != highest:
        text = f"{measure.text(least)}–{text}"
    estimated = ended or least != highest or not sure
    return Value(f"{'' if sure else '~'}{text}", highest, estimated)


def _part(cell: Cell, measure: _Definition) -> _Part | str:
    if cell.trace is not None:
        amount = measure.amount(cell, cell.trace)
        return measure.missing if amount is None else _Part(amount, amount, amount, True)
    if cell.plans.refused is not None:
        return "refused"
    return "not yet" if measure.only_run else _planned_part(cell, measure)


def _planned_part(cell: Cell, measure: _Definition) -> _Part | str:
    plans = cell.complete
    if plans is None:
        return "not planned" if cell.plans.high is None else "stops early"
    both = [measure.amount(cell, plan) for plan in (plans.low, plans.high)]
    amounts = sorted(amount for amount in both if amount is not None)
    if not amounts:
        return measure.missing
    least, highest = amounts[0], amounts[-1]
    if measure.bound is not None:
        return _Part(least, highest, measure.bound(cell, plans.bounds), False)
    ends = measure.certain(plans.bounds) if measure.certain else (least, highest)
    return _Part(least, highest, ends[1], ends == (least, highest))


def _cut_off(_: Cell, run: Plan | Trace) -> float | None:
    return cut_off_tokens(run) if sends_chunks(run) else None


def repeated_tokens(run: Plan | Trace) -> int:
    """Tokens of the parts of chunks that several calls carry."""
    return sum(chunk.repeated_tokens for chunk in run.coverage)


def _without_news(columns: Sequence[Cell]) -> Iterator[_Definition]:
    """The measures of answers that would say of each answer that nothing is to be seen."""
    found = [column.measures for column in columns if column.measures is not None]
    if all(measures.support in (None, 1) for measures in found):
        yield _SUPPORTED
    if not any(measures.unfounded for measures in found):
        yield _UNFOUNDED


def _supported(column: Cell, _: Plan | Trace) -> float | None:
    return column.measures.support if column.measures else None


def _unfounded(column: Cell, _: Plan | Trace) -> float | None:
    return len(column.measures.unfounded) if column.measures else None


def _dollars(amount: float) -> str:
    """US dollars, shorter than in a sentence, to stand beside a bar."""
    return f"<{dollars(LEAST_DOLLARS)}" if 0 < amount < LEAST_DOLLARS else dollars(amount)


def _time(seconds: float) -> str:
    return f"{seconds:,.1f}" if seconds >= 1 else f"{seconds:.3f}"


_SECONDS = _Definition(
    "seconds", Cell.seconds, _time, missing="not timed", only_run=True, total=fmean
)
_COST = _Definition("cost", Cell.cost, _dollars, bound=Cell.most_cost, missing="unknown")
_SUPPORTED = _Definition(
    "words from the chunks",
    _supported,
    lambda share: percent(share, 1),
    missing="no answer",
    whole=1.0,
    only_run=True,
)
_UNFOUNDED = _Definition("unfounded", _unfounded, missing="no answer", only_run=True)
_MEASURES = (
    _Definition("calls", lambda _, run: run.call_count, certain=lambda bounds: bounds.calls),
    _Definition(
        "longest chain",
        lambda _, run: run.longest_chain,
        total=max,
        certain=lambda bounds: bounds.longest_chain,
    ),
    _Definition(
        "prompt tokens",
        lambda _, run: run.prompt_tokens,
        certain=lambda bounds: bounds.prompt_tokens,
    ),
    _Definition(
        "output tokens",
        lambda _, run: run.output_tokens,
        bound=lambda _, bounds: bounds.output_tokens.high,
    ),
    _COST,
    _SECONDS,
    _Definition(CUT_OFF, _cut_off, missing="none sent"),
    _Definition("sent twice", lambda _, run: repeated_tokens(run)),
    _SUPPORTED,
    _UNFOUNDED,
)
