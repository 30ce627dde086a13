"""What the trade-off shows, in sentences: who is ahead and for how much, and who is dominated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synth.wording import Bold, listed
from ui.compare.analysis.trade_off import EQUAL, Amount, Measure, Weighed
from ui.compare.analysis.verdict_words import verdict_sentences
from ui.figures.trade_off import Point, TradeOff


def trade_off_findings(
    found: TradeOff, columns: Sequence[Weighed], measure: Measure, amount: Amount, reference: str
) -> list[str]:
    """The paragraph, as parts for `ui.look.escape.sentence_html`.

    `columns` are those of the points. The column `reference` is compared with each of the others;
    the first one where it is not among them.
    """
    names = [column.name for column in columns]
    base = names.index(reference) if reference in names else 0
    told = verdict_sentences(names, [column.measures for column in columns], base)
    sentences = [
        _most(found.points, measure, amount),
        *_dominated(found.points, measure, amount),
        *([sentence] for sentence, _ in told),
    ]
    return [part for sentence in sentences if sentence for part in (" ", *sentence)][1:]


def _most(points: Sequence[Point], measure: Measure, amount: Amount) -> list[str]:
    """The column with the highest measure, and the one that takes the least."""
    if len(points) < 2:
        return []
    highest = max(point.measure for point in points)
    best = [point for point in points if point.measure >= highest - EQUAL]
    lowest = min(point.amount for point in points)
    least = [point for point in points if point.amount <= lowest + EQUAL]
    if len(best) == len(points):
        parts = [Bold(f"All columns have the same {measure.name}"), f", {measure.text(highest)}"]
    elif len(best) > 1:
        names = listed([point.name for point in best])
        parts = [Bold(f"{names} have the highest {measure.name}"), f", {measure.text(highest)}"]
    else:
        parts = [Bold(f"{best[0].name} {measure.most}"), f", {best[0].words}"]
    if len(least) == 1 and least != best:
        parts.append(f"; {least[0].name} {amount.least}, {least[0].words}")
    return [*parts, "."]


def _dominated(points: Sequence[Point], measure: Measure, amount: Amount) -> Iterator[list[str]]:
    by_name = {point.name: point for point in points}
    for point in points:
        if point.dominated_by:
            better = by_name[point.dominated_by]
            yield [
                Bold(f"{point.name} is dominated by {better.name}"),
                f": {_words(point, better, measure, amount)}.",
            ]


def _words(point: Point, better: Point, measure: Measure, amount: Amount) -> str:
    """Both amounts and both measures: "12 calls instead of 2 calls, for 40 % instead of 60 %"."""
    took = (amount.text(point.amount), amount.text(better.amount))
    gave = (measure.text(point.measure), measure.text(better.measure))
    taken = took[0] if took[0] == took[1] else f"{took[0]} instead of {took[1]}"
    worth = gave[0] if gave[0] == gave[1] else f"{gave[0]} instead of {gave[1]}"
    return f"{worth} for {taken}"
