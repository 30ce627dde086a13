"""What the runs of a comparison prove: which columns answer better, and what that rests on.

Two kinds of evidence are looked at, the surest first: questions passed, then facts held. The first
that tells columns apart decides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Literal

from synth.quality import Scores, Verdict, verdicts
from synth.quality.verdicts import EQUAL, LEAST_QUESTIONS, question_means
from ui.pages.compare.comparison import Comparison

Kind = Literal["needed", "passed", "facts"]


@dataclass(frozen=True)
class Evidence:
    """Scores of one kind, by the name of each column that has any.

    `weights` has for each question what its score is a share of, such as its number of facts.
    """

    kind: Kind
    scores: Mapping[str, Scores]
    weights: Sequence[int]

    @cached_property
    def means(self) -> dict[str, float]:
        """The mean score of each column over its questions, as they are tested; highest first."""
        means = {name: fmean(question_means(scores)) for name, scores in self.scores.items()}
        return dict(sorted(means.items(), key=lambda item: -item[1]))

    @property
    def best(self) -> str:
        """The column with the highest mean."""
        return next(iter(self.means))

    @property
    def equal(self) -> bool:
        """Whether all columns have the same mean."""
        return max(self.means.values()) - min(self.means.values()) <= EQUAL

    @cached_property
    def verdicts(self) -> dict[str, Verdict]:
        """The best column beside each other one, in the order of their means."""
        return self._beside(self.best)

    def beside(self, name: str) -> dict[str, Verdict]:
        """A column beside each other one, in the order of their means."""
        return self.verdicts if name == self.best else self._beside(name)

    def _beside(self, name: str) -> dict[str, Verdict]:
        rest = [other for other in self.means if other != name]
        found = verdicts(self.scores[name], [self.scores[other] for other in rest])
        return dict(zip(rest, found, strict=True))

    @property
    def questions(self) -> int:
        """The most questions that the best column shares with another one."""
        return max((one.questions for one in self.verdicts.values()), default=0)

    @property
    def few(self) -> bool:
        """Whether there are too few questions to tell columns apart."""
        return self.questions < LEAST_QUESTIONS

    @property
    def tells(self) -> bool:
        """Whether any column is told from the best one."""
        return any(verdict.differs for verdict in self.verdicts.values())

    def sums(self, name: str) -> tuple[float, int]:
        """What a column has of what it could have, such as 41.5 of 57 facts."""
        given = [[one for one in repeats if one is not None] for repeats in self.scores[name]]
        pairs = [(one, weight) for one, weight in zip(given, self.weights, strict=True) if one]
        got = sum(weight * sum(one) / len(one) for one, weight in pairs)
        return got, sum(weight for _, weight in pairs)


def evidence_of(comparison: Comparison) -> list[Evidence]:
    """All evidence that there is, the surest kind first; the columns of a judged comparison.

    Of a single question it is told how much of what is needed passed. Where all of it did, facts
    that are not needed decide nothing.
    """
    asked = comparison.asked
    passed = _scored("passed", comparison.scores(lambda _, run: run.score), [1] * len(asked))
    if len(asked) == 1:
        needed = [sum(one.needed for one in asked[0].expectations)]
        passed = _scored("needed", comparison.scores(lambda _, run: run.needed_passed), needed)
    facts = [len(one.facts) for one in asked]
    held = _scored("facts", comparison.scores(lambda _, run: run.facts_held), facts)
    enough = passed.scores and min(passed.means.values()) == 1
    return [one for one in (passed, *([] if enough else [held])) if one.scores]


def deciding(found: Sequence[Evidence]) -> Evidence:
    """The first that tells columns apart, else the first in which they differ, else the first."""
    told = (one for one in found if one.tells)
    differing = (one for one in found if not one.equal)
    return next(told, next(differing, found[0]))


def _scored(kind: Kind, scores: Mapping[str, Scores], weights: Sequence[int]) -> Evidence:
    """The evidence of the columns that have any."""
    return Evidence(
        kind,
        {name: one for name, one in scores.items() if question_means(one)},
        weights,
    )
