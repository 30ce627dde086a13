"""Rates of columns with their intervals, and what can be told of one beside another, in words."""

from __future__ import annotations

from collections.abc import Sequence

from synth.quality import Average, Scores, Verdict, pass_rate, verdicts
from synth.quality.verdicts import LEAST_QUESTIONS
from synth.wording import counted, percent
from ui.compare.analysis.judged_runs import Judged, scores


def rate_words(rate: Average) -> tuple[str, str]:
    """The number of questions that passed, and the interval: "4", "38 to 96 %"."""
    if rate.mean is None:
        return "", ""
    low, high = (percent(end, 1).removesuffix("\u00a0%") for end in rate.interval)
    passes = round(rate.mean * rate.questions, 1)
    return f"{passes:,g}", f"{low} to {high}\u00a0%"


def rates(columns: Sequence[Judged]) -> list[Average]:
    """The pass rate of each column."""
    return [pass_rate(scores(column)) for column in columns]


def verdict_sentences(
    names: Sequence[str], columns: Sequence[Scores], reference: int
) -> list[tuple[str, str]]:
    """The column `reference` beside each other one that has scores: a sentence, and its numbers.

    There are none while the reference has no score, and one for all where no pair has enough
    questions: what each shows of so few would be a lead that means nothing.
    """
    numbers = [at for at in range(len(columns)) if at != reference and _has_scores(columns[at])]
    if not _has_scores(columns[reference]):
        return []
    found = verdicts(columns[reference], [columns[at] for at in numbers])
    most = max((verdict.questions for verdict in found), default=0)
    if found and most < LEAST_QUESTIONS:
        few = f"{counted(most, 'question')} can't tell columns apart"
        return [(f"{few}: it takes {LEAST_QUESTIONS} at least.", "")]
    sentences = []
    for at, verdict in zip(numbers, found, strict=True):
        sentences.append((verdict.sentence(names[reference], names[at]), _numbers(verdict)))
    return sentences


def _numbers(verdict: Verdict) -> str:
    """Wins, losses, the difference in points with its interval; "" where nothing differs.

    So few questions that they can't tell the columns apart have none either.
    """
    if verdict.questions < LEAST_QUESTIONS or not (verdict.wins or verdict.losses):
        return ""
    points = (f"{100 * value:+.0f}" for value in (verdict.difference, *verdict.interval))
    difference, low, high = (text.replace("-", "\u2212") for text in points)
    return (
        f"Ahead in {verdict.wins:,}, behind in {verdict.losses:,}: {difference} points, interval"
        f" {low} to {high}; such a lead comes by chance {percent(verdict.probability, 1)} of the"
        " time (sign test)."
    )


def _has_scores(column: Scores) -> bool:
    return any(score is not None for repeats in column for score in repeats)
