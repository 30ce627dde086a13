"""The figures of a comparison: its measures, each on one scale over all columns, and its sentence.

The sentence has five forms, one for what is known: the plans, the answers, one question that was
judged, a few, and enough of them to tell columns apart. No column is named better but by what
passed or by thumbs, and ties are ties.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from synth.html.escape import answer_html, term_html
from synth.html.markup import Html, tag
from synth.html.provenance import diff_html
from synth.quality.verdicts import LEAST_QUESTIONS, Verdict, verdicts
from synth.text.diff import TOO_DIFFERENT, word_diff
from synth.text.wording import LEAST_DOLLARS, counted, dollars, percent, round_up
from ui.pages.compare.columns import listed_columns
from ui.pages.compare.comparison import Asked, RunRow, frame_of, scores_of

_SIGNS = {"pass": "holds", "fail": "lacks", "not judged": "unknown"}
_MISSING = {"cost": "unknown", "cut_off": "none sent", "seconds": "not timed"}


def measures_of(rows: Sequence[RunRow]) -> dict[str, str]:
    """Label the numbers that say something of these runs: no price or time that nobody knows."""
    labels = {"calls": "calls", "tokens": "tokens"}
    if any(row.request.model.price for row in rows):
        priced_as = {row.request.model.priced_as for row in rows} - {""}
        labels["cost"] = ", ".join(["cost", *sorted(priced_as)])
    labels["cut_off"] = "cut off"
    if any(not math.isnan(row.seconds) for row in rows):
        labels["seconds"] = "seconds"
    return labels


def measure_text(row: RunRow, name: str) -> str:
    """Say a number of a run, or in a word why there is none."""
    if row.trace is None and row.plans.refused is not None:
        return "refused"
    if math.isnan(getattr(row, name)):
        return "not planned" if math.isnan(row.calls) else _MISSING[name]
    match name:
        case "calls":
            text = f"{_bound(row, row.calls_low == row.calls)}{row.calls:,.0f}"
        case "tokens":
            text = f"{_bound(row, not row.tokens)}{row.tokens:,.0f}"
        case "cost" if 0 < row.cost < LEAST_DOLLARS:
            text = f"<{dollars(LEAST_DOLLARS)}"
        case "cost":
            amount = row.cost if row.trace else round_up(row.cost)
            text = f"{_bound(row, not row.cost)}{dollars(amount)}"
        case "cut_off":
            is_sure = row.trace is not None or (row.plans.high is not None and row.plans.high.exact)
            share = percent(row.cut_off, row.chunk_tokens) if row.cut_off else "0"
            text = share if is_sure or not row.cut_off else f"~{share}"
        case _:
            text = f"{row.seconds:,.1f}" if row.seconds >= 1 else f"{row.seconds:.3f}"
    return text


def _bound(row: RunRow, is_exact: bool) -> str:
    """The sign before a number of a plan: "≤" where it is a bound, "~" where nothing bounds it."""
    if row.trace is not None or is_exact:
        return ""
    return "≤ " if row.bounded else "~"


def measures_html(rows: Sequence[RunRow], row: RunRow, asked: Asked) -> Html:
    """Write the measures of one of these runs: a line each, with a bar on the scale of them all.

    The lines of the first run have the names that a wide page shows.
    """
    is_first = row is rows[0]
    lines = [
        _line(label, is_first, _scale(name, rows, row), _number(name, row))
        for name, label in measures_of(rows).items()
    ]
    if any(one.needed for one in asked.expectations):
        label = "passed" if asked.checks else "facts held"
        lines.append(_line(label, is_first, *_needed(row, asked)))
    kind = "div.measures.num.first" if is_first else "div.measures.num"
    return tag(kind, *lines, role="group", aria_label=f"Measures of {row.column}")


def _line(label: str, is_first: bool, picture: Html, number: Html) -> Html:
    name = term_html(label) if is_first else label
    return tag("div", tag("span.measure-name", name), picture, number)


def _scale(name: str, rows: Sequence[RunRow], row: RunRow) -> Html:
    """Draw the bar of a run, which is as long as the scale for the most of these runs."""
    of = "chunk_tokens" if name == "cut_off" else name
    amount = getattr(row, name)
    if not amount > 0:
        return tag("span.scale")
    most = max(getattr(other, of) for other in rows if getattr(other, of) > 0)
    bar = "i.bar.k-lost" if name == "cut_off" else "i.bar"
    if row.trace is None:
        bar += ".estimate"
    return tag("span.scale", tag(bar, style=f"width: {100 * amount / most:.1f}%"))


def _number(name: str, row: RunRow) -> Html:
    text = measure_text(row, name)
    is_known = not math.isnan(getattr(row, name)) and text != "refused"
    return tag("b" if is_known else "span.muted", text)


def _needed(row: RunRow, asked: Asked) -> tuple[Html, Html]:
    """Draw a box for each fact and check that is needed, filled where the answer has it."""
    names = [one.name for one in asked.expectations if one.needed]
    outcomes = asked.needed(row.outcomes) if row.outcomes else []
    states = [_SIGNS[one.state] for one in outcomes] or ["unknown"] * len(names)
    boxes = (
        tag(f"i.held.{state}", title=f"{name}: {state}")
        for name, state in zip(names, states, strict=True)
    )
    number = tag("span.muted", "not yet")
    if not math.isnan(row.passed):
        number = tag("b", f"{row.passed:.0f} of {len(names):,}")
    return tag("span.boxes", *boxes), number


def totals(rows: Sequence[RunRow]) -> list[tuple[str, list[str]]]:
    """List what the runs of each column that ended made together, in words, by its name."""
    measures = measures_of(rows)
    columns = [
        _totals([row for row in rows if row.column == name], measures)
        for name in dict.fromkeys(row.column for row in rows)
    ]
    lines = [(name, [column.get(name, "") for column in columns]) for name in columns[0]]
    return [(name, texts) for name, texts in lines if any(texts)]


def _totals(rows: Sequence[RunRow], measures: Mapping[str, str]) -> dict[str, str]:
    ended = [row for row in rows if row.ended]
    runs = frame_of(ended)
    texts = {
        "ended": f"{len(ended):,} of {len(rows):,}",
        "passed": _share(runs["score"].dropna()),
        "right, by thumbs": _share(runs["right"].dropna()),
    } | dict.fromkeys(measures.values(), "")
    if ended:
        names = ["calls", "tokens", "cost", "cut_off", "chunk_tokens", "seconds"]
        total = ended[0]._replace(**runs[names].sum(min_count=1))
        texts |= {label: measure_text(total, name) for name, label in measures.items()}
    return texts


def _share(known: pd.Series) -> str:
    """How many of those that are known are so: "18 of 20"; a repeated question counts each time."""
    return f"{known.sum():,g} of {len(known):,}" if len(known) else ""


def answer_beside(base: str | None, answer: str) -> tuple[str, Html]:
    """Write an answer, with what it changes in the one that it is read against; say how much."""
    if not answer:
        return "", tag("div.small.muted", "The answer is empty; only the sources are returned.")
    if not base or base == answer:
        return "", answer_html(answer)
    diff = word_diff(base, answer)
    if not diff.readable:
        return TOO_DIFFERENT, answer_html(answer)
    return diff.changes, diff_html(diff)


_BETWEEN = " · "


class Heading(NamedTuple):
    """The sentence, and one more in a muted line."""

    line: str
    detail: str = ""


_VERDICTS = "right", "score"
"""The numbers of a row that are verdicts: a person's first, then what its checks say."""


def headline(rows: Sequence[RunRow]) -> Heading:
    """Say what is known of these runs, of one question or of several."""
    runs = frame_of(rows)
    known = {value: scores_of(runs, value).dropna(how="all") for value in _VERDICTS}
    value = max(known, key=lambda value: len(known[value]))  # of equally many, a person's
    scores = known[value]
    if not len(scores):
        return _answers(rows) if any(row.answer is not None for row in rows) else _plans(rows)
    is_one = runs["question"].nunique() == 1
    said = _one_question(scores.iloc[0], runs) if is_one else _several(scores)
    return said if value == "score" else Heading(said.line, f"By thumbs. {said.detail}".rstrip())


def _plans(rows: Sequence[RunRow]) -> Heading:
    """ "Calls: A 2 · B 12 · C ≤ 3 · D 1", and what would be cut off."""
    first = [row for row in rows if row.question == rows[0].question and not row.repeat]
    texts = [f"{row.column} {measure_text(row, 'calls')}" for row in first]
    cut = [
        f"{row.column} would cut off {measure_text(row, 'cut_off')}"
        for row in first
        if row.cut_off > 0
    ]
    detail = f"{listed_columns(cut)} of the text." if cut else ""
    return Heading(f"Calls: {_BETWEEN.join(texts)}", detail)


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


def _one_question(scores: pd.Series, runs: pd.DataFrame) -> Heading:
    """ "A, B and C pass. D does not.", and which of those that pass takes least."""
    known = scores.dropna()
    passing = list(known.index[known == 1])
    failing = list(known.index[known < 1])
    lacks = f"{listed_columns(failing)} {'does' if len(failing) == 1 else 'do'} not"
    if not passing:
        return Heading(f"{lacks} pass.")
    line = f"{listed_columns(passing)} {'passes' if len(passing) == 1 else 'pass'}."
    if failing:
        line += f" {lacks}."
    return Heading(line, _least(runs, passing) if len(passing) > 1 else "")


def _least(runs: pd.DataFrame, letters: Sequence[str]) -> str:
    """Say which of these columns that ask a model takes least: dollars where known, else tokens."""
    asking = runs[runs["column"].isin(letters) & (runs["calls"] > 0)]
    amounts, priced = amounts_of(asking)
    if len(amounts) < 2:
        return ""
    least = list(amounts.index[amounts == amounts.min()])
    if len(least) == len(amounts):
        return f"They {'cost' if priced else 'take'} the same."
    verb = "cost" if priced else "take"
    return f"{listed_columns(least)} {verb if len(least) > 1 else f'{verb}s'} the least of them."


def amounts_of(runs: pd.DataFrame) -> tuple[pd.Series, bool]:
    """Sum what each column took: dollars if each has a cost, which is said, else tokens."""
    sums = runs.groupby("column", sort=False)[["cost", "tokens"]].sum(min_count=1)
    priced = bool(sums["cost"].notna().all() and sums["cost"].any())  # what is free costs 0
    return sums["cost" if priced else "tokens"], priced


def _several(scores: pd.DataFrame) -> Heading:
    """ "A, B and C can't be told apart. D passes 7 fewer than A.", or the counts of each column."""
    known = scores.dropna(axis="columns", how="all")
    counts = [f"{name} {column.sum():,g} of {column.count():,}" for name, column in known.items()]
    line = f"{_BETWEEN.join(counts)} pass."
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
    verb = "passes" if len(behind) == 1 else "pass"
    chance = max(one.probability for one in behind.values())
    detail = f"{line} Such a lead is chance at most 1 time in {int(1 / chance):,}."
    rest = f"{listed_columns([*behind])} {verb} {fewer} fewer than {best}."
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
