"""What columns cost against what their answers are worth: points and sentences."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from synth.quality import (
    Average,
    Likeness,
    Scores,
    Support,
    average,
    pass_rate,
)
from synth.quality.verdicts import EQUAL
from synth.text.wording import Bold, dollars, duration, listed, percent
from ui.pages.compare.analysis.judged_runs import PASSING, JudgedRun, verdict_sentences
from ui.pages.compare.analysis.trade_off_chart import Point, TradeOff
from ui.pages.compare.cells import Cell


@dataclass(frozen=True)
class Measure:
    """A measure of answers, from 0 to 1; `text` writes a value."""

    name: str
    of: Callable[[Cell, JudgedRun], float | None]
    formula: str
    average: Callable[[Scores], Average] = average
    text: Callable[[float], str] = lambda share: percent(share, 1)


class Amount(NamedTuple):
    """What a run takes: its noun, and its forms."""

    noun: str
    of: Callable[[Cell, JudgedRun], float | None]
    text: Callable[[float], str]
    form: str


def _calls(count: float) -> str:
    return f"{count:,.3g} call{'' if count == 1 else 's'}"


AMOUNTS: Mapping[str, Amount] = MappingProxyType(
    {
        "Dollars": Amount("dollars", lambda cell, run: cell.cost(run.trace), dollars, "$,.4~f"),
        "Seconds": Amount("seconds", lambda cell, run: cell.seconds(run.trace), duration, ",.4~g"),
        "Calls": Amount("calls", lambda _, run: run.trace.call_count, _calls, ",.4~g"),
    }
)
MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        "Questions passed": Measure(
            "share of questions passed",
            lambda _, run: run.score,
            f"{PASSING} The interval is Wilson's.",
            pass_rate,
        ),
        "Facts held": Measure(
            "share of facts in the answer",
            lambda _, run: run.facts_held,
            "Facts with an accepted wording in the final answer, divided by the facts of the"
            " question. Other wordings are not found.",
        ),
        "Words from the chunks": Measure(
            "share of words that stand in the chunks sent",
            lambda _, run: run.supported,
            Support.formula,
        ),
        "chrF": Measure(
            "chrF beside the reference",
            lambda _, run: run.likeness.chrf if run.likeness else None,
            Likeness.formulas["chrf"],
            text="{:.2f}".format,
        ),
        "token F1": Measure(
            "token F1 beside the reference",
            lambda _, run: run.likeness.f1 if run.likeness else None,
            Likeness.formulas["f1"],
            text="{:.2f}".format,
        ),
    }
)

LIKENESS = ("chrF", "token F1")
"""The measures beside a reference answer."""


def _known(values: Scores) -> set[int]:
    """The positions of the questions that have a value."""
    return {at for at, repeats in enumerate(values) if any(one is not None for one in repeats)}


class Weighed(NamedTuple):
    """A column of the trade-off: what its answers are worth, and what they take."""

    name: str
    measures: Scores
    amounts: Scores


def shared_columns(columns: Sequence[Weighed]) -> list[Weighed]:
    """The columns that have values, each with those of the questions that all of these have."""
    both = [_known(column.measures) & _known(column.amounts) for column in columns]
    shared = sorted(set.intersection(*(one for one in both if one))) if any(both) else []
    return [
        Weighed(
            column.name,
            [column.measures[at] for at in shared],
            [column.amounts[at] for at in shared],
        )
        for column, own in zip(columns, both, strict=True)
        if own and shared
    ]


def trade_off_of(columns: Sequence[Weighed], measure: Measure, amount: Amount) -> TradeOff:
    """A point for each of these columns, which are of the same questions."""
    means = [(measure.average(one.measures), average(one.amounts)) for one in columns]
    values = [(one.mean or 0.0, other.mean or 0.0) for one, other in means]
    points = tuple(
        Point(
            column.name,
            taken,
            of_amount.interval,
            worth,
            of_measure.interval,
            f"{measure.text(worth)} for {amount.text(taken)}",
            next((columns[by].name for by in _ahead(at, values)), ""),
        )
        for at, (column, (of_measure, of_amount), (worth, taken)) in enumerate(
            zip(columns, means, values, strict=True)
        )
    )
    axis = f"{amount.noun} a question"
    return TradeOff(points, axis, amount.form, measure.name, measure.text)


def _ahead(at: int, values: Sequence[tuple[float, float]]) -> Iterator[int]:
    """The columns that take no more than this one and are worth as much, the best first.

    Where all are worth the same, such as nothing, there is nothing to weigh against the amount.
    """
    worth, taken = values[at]
    if max(one for one, _ in values) - min(one for one, _ in values) <= EQUAL:
        return

    def rank(by: int) -> tuple[float, float]:
        return -values[by][0], values[by][1]

    for by in sorted(range(len(values)), key=rank):
        more, less = values[by][0] - worth, taken - values[by][1]
        if min(more, less) >= -EQUAL and max(more, less) > EQUAL:
            yield by


def trade_off_findings(
    found: TradeOff, columns: Sequence[Weighed], measure: Measure, amount: Amount
) -> list[str]:
    """The paragraph, as parts for `synth.html.escape.sentence_html`.

    `columns` are those of the points. The one with the highest measure is tested against each of
    the others, as in the headline: a column that a person chose would be another family of tests.
    """
    best = max(found.points, key=lambda point: point.measure).name
    told = verdict_sentences({column.name: column.measures for column in columns}, best)
    sentences = [
        _most(found.points, measure, amount),
        *_behind(found.points),
        *([words] for words, _ in told),
    ]
    return [part for sentence in sentences if sentence for part in (" ", *sentence)][1:]


def _most(points: Sequence[Point], measure: Measure, amount: Amount) -> list[str]:
    """The columns with the highest measure, and the one that takes the least."""
    if len(points) < 2:
        return []
    highest = max(point.measure for point in points)
    best = [point for point in points if point.measure >= highest - EQUAL]
    lowest = min(point.amount for point in points)
    least = [point for point in points if point.amount <= lowest + EQUAL]
    names, degree = listed([point.name for point in best]), "highest"
    if len(best) == len(points):
        names, degree = "All columns", "same"
    verb, words = "have", measure.text(highest)
    if len(best) == 1:
        verb, words = "has", best[0].words
    parts = [Bold(f"{names} {verb} the {degree} {measure.name}"), f", {words}"]
    if len(least) == 1 and least != best:
        parts.append(f"; {least[0].name} takes the fewest {amount.noun}, {least[0].words}")
    return [*parts, "."]


def _behind(points: Sequence[Point]) -> Iterator[list[str]]:
    """The columns behind each other one."""
    for ahead in points:
        behind = [point.name for point in points if point.behind == ahead.name]
        if len(behind) == 1:
            words = ": it takes no less, and is worth no more."
            yield [Bold(f"{behind[0]} is behind {ahead.name}"), words]
        elif behind:
            words = ": they take no less, and are worth no more."
            yield [Bold(f"{listed(behind)} are behind {ahead.name}"), words]
