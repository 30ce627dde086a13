"""The sentence of a comparison, of figures alone: what passed, and whether columns differ by it.

It has five forms, one for what is known: the plans, the answers, one question that was judged,
a few, and enough of them to tell columns apart. No column is named better but by what passed or
by thumbs, and ties are ties.
"""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from synth.quality.verdicts import LEAST_QUESTIONS, Verdict, verdicts
from synth.text.wording import counted
from ui.pages.compare.columns import listed_columns
from ui.pages.compare.frame import RunRow, frame_of, scores_of
from ui.pages.compare.measures import Measure, measure_text, measures_of

_BETWEEN = " · "


class Heading(NamedTuple):
    """The sentence, and one more in a muted line."""

    line: str
    detail: str = ""


class _Words(NamedTuple):
    """How a verdict is said: of one column, of several, and of those without it."""

    one: str
    many: str
    fails: str
    fail: str
    of: str = ""  # before a number of questions


_WORDS = {
    "right": _Words("is right", "are right", "is not", "are not", "in "),
    "score": _Words("passes", "pass", "does not", "do not"),
}
"""The numbers of a row that are verdicts: a person's first, then what its checks say."""


def headline(rows: Sequence[RunRow]) -> Heading:
    """Say what is known of these runs, of one question or of several."""
    runs = frame_of(rows)
    known = {value: scores_of(runs, value).dropna(how="all") for value in _WORDS}
    value = max(known, key=lambda value: len(known[value]))  # of equally many, a person's
    scores, words = known[value], _WORDS[value]
    if len(scores) and runs["question"].nunique() == 1:
        return _one_question(scores.iloc[0], words, runs)
    if len(scores):
        return _several(scores, words)
    if any(row.answer is not None for row in rows):
        return _answers(rows)
    return _plans(rows)


def _plans(rows: Sequence[RunRow]) -> Heading:
    """ "Calls: A 2 · B 12 · C ≤ 3 · D 1", and what would be cut off."""
    first = [row for row in rows if row.question == rows[0].question and not row.repeat]
    calls, *others = measures_of(first)
    texts = [f"{row.column} {measure_text(row, calls)}" for row in first]
    [cut_off] = [one for one in others if one.name == "cut_off"]
    cut = [row for row in first if row.cut_off > 0]
    return Heading(f"Calls: {_BETWEEN.join(texts)}", _cut(cut, cut_off, "would cut off"))


def _cut(rows: Sequence[RunRow], cut_off: Measure, verb: str) -> str:
    parts = [f"{row.column} {verb} {measure_text(row, cut_off)}" for row in rows]
    return f"{listed_columns(parts)} of the text." if parts else ""


def _answers(rows: Sequence[RunRow]) -> Heading:
    """ "2 different answers", or on how many questions all columns agree."""
    by_question: dict[int, set[str]] = {}
    for row in rows:
        if row.answer is not None:
            by_question.setdefault(row.question, set()).add(row.answer)
    goes_on = any(row.job is not None and row.job.running for row in rows)
    detail = "" if goes_on else "Nothing is expected of the answers yet."
    if len(by_question) == 1:
        [answers] = by_question.values()
        same = "One answer from all that ran." if len(answers) == 1 else ""
        return Heading(same or f"{len(answers):,} different answers.", detail)
    agreed = sum(len(answers) == 1 for answers in by_question.values())
    total = counted(len(by_question), "question")
    return Heading(f"The columns agree on {agreed:,} of {total}.", detail)


def _one_question(scores: pd.Series, words: _Words, runs: pd.DataFrame) -> Heading:
    """ "A, B and C pass. D does not.", and which of those that pass takes least."""
    known = scores.dropna()
    passing = list(known.index[known == 1])
    failing = list(known.index[known < 1])
    if not passing:
        none = f"{listed_columns(failing)} {words.fails if len(failing) == 1 else words.fail}"
        return Heading(f"{none} {words.many.removeprefix('are ')}.")
    line = f"{listed_columns(passing)} {words.one if len(passing) == 1 else words.many}."
    if failing:
        line += f" {listed_columns(failing)} {words.fails if len(failing) == 1 else words.fail}."
    return Heading(line, _least(runs, passing) if len(passing) > 1 else "")


def _least(runs: pd.DataFrame, letters: Sequence[str]) -> str:
    """Say which of these columns that ask a model takes least: dollars where known, else tokens."""
    asking = runs[runs["column"].isin(letters) & (runs["calls"] > 0)]
    sums = asking.groupby("column", sort=False)[["cost", "tokens"]].sum(min_count=1)
    if len(sums) < 2:
        return ""
    priced = bool(sums["cost"].notna().all() and sums["cost"].any())
    amounts = sums["cost" if priced else "tokens"]
    least = list(amounts.index[amounts == amounts.min()])
    if len(least) == len(sums):
        return f"They {'cost' if priced else 'take'} the same."
    verb = "cost" if priced else "take"
    return f"{listed_columns(least)} {verb if len(least) > 1 else f'{verb}s'} the least of them."


def _several(scores: pd.DataFrame, words: _Words) -> Heading:
    """ "A, B and C can't be told apart. D passes 7 fewer than A.", or the counts of each column."""
    known = scores.dropna(axis="columns", how="all")
    counts = [f"{name} {column.sum():,g} of {column.count():,}" for name, column in known.items()]
    line = f"{_BETWEEN.join(counts)} {words.many}."
    if known.shape[1] == 1:
        return Heading(line)
    best, found = beside_best(known)
    if max(one.questions for one in found.values()) < LEAST_QUESTIONS:
        return Heading(line, f"Fewer than {LEAST_QUESTIONS} questions tell no columns apart.")
    behind = {name: one for name, one in found.items() if one.differs}
    if not behind:
        return Heading(line, "They can't be told apart.")
    alike = [name for name in known.columns if name not in behind]
    first = (
        f"{listed_columns(alike)} can't be told apart." if len(alike) > 1 else f"{best} is ahead."
    )
    fewer = listed_columns([f"{one.wins - one.losses:,}" for one in behind.values()])
    verb = words.one if len(behind) == 1 else words.many
    chance = max(one.probability for one in behind.values())
    detail = f"{line} Such a lead is chance at most 1 time in {int(1 / chance):,}."
    rest = f"{listed_columns([*behind])} {verb} {words.of}{fewer} fewer than {best}."
    return Heading(f"{first} {rest}", detail)


def beside_best(scores: pd.DataFrame) -> tuple[str, dict[str, Verdict]]:
    """Test the column with the highest mean beside each other one, by its letter."""
    best = str(scores.mean().idxmax())
    given = {
        name: [None if pd.isna(one) else float(one) for one in scores[name]]
        for name in scores.columns
    }
    others = [name for name in scores.columns if name != best]
    tested = verdicts(given[best], [given[name] for name in others])
    return best, dict(zip(others, tested, strict=True))
