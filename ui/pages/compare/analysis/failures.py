"""Which questions columns fail, and whether they ask for text that was never sent."""

from collections.abc import Sequence
from typing import NamedTuple

from synth.quality import Fact, FactPath, Follower
from synth.text.wording import Bold, counted, numbered
from synth.words.coverage_words import cut_off_tokens
from ui.pages.compare.cells import Cell
from ui.pages.compare.comparison import Comparison

Paths = list[FactPath]


class CutFailures(NamedTuple):
    """The questions that one column fails and another passes, some for text that was never sent."""

    column: str
    questions: Sequence[int]
    sentence: list[str]


def failures(comparison: Comparison) -> dict[str, list[int]]:
    """The questions that any column fails, as "any", and by name those that another passes."""
    scores = comparison.scores(lambda _, run: run.score)
    beside: dict[str, list[int]] = {name: [] for name in scores}
    failed = []
    for question in range(len(comparison.asked)):
        known = {
            name: min(given)
            for name, one in scores.items()
            if (given := [score for score in one[question] if score is not None])
        }
        losers = [name for name, score in known.items() if score < 1]
        if losers:
            failed.append(question)
        if len(losers) < len(known):
            for name in losers:
                beside[name].append(question)
    return {"any": failed} | {name: found for name, found in beside.items() if found}


def cut_failures(comparison: Comparison, listed_chunks: Sequence[str]) -> CutFailures | None:
    """The column that fails most questions, which another passes, for text that it cut off."""
    found = []
    for name, questions in failures(comparison).items():
        cells = [cell for at in questions for cell in comparison.row(at) if cell.name == name]
        if any(cell.trace and cut_off_tokens(cell.trace) for cell in cells):
            paths = [_lost(cell, listed_chunks) for cell in cells]
            unsent = [one for one in paths if _unsent(one)]
            if unsent:
                sentence = _sentence(name, paths, unsent)
                found.append((len(unsent), CutFailures(name, questions, sentence)))
    return max(found, key=lambda one: one[0], default=(0, None))[1]


def _lost(cell: Cell, listed_chunks: Sequence[str]) -> Paths:
    """The paths of the facts that the answer in a cell needs and does not hold."""
    if cell.trace is None or cell.judged is None:
        return []
    follower = Follower(cell.trace, listed_chunks)
    return [
        follower.path(one.expected)
        for one, outcome in cell.judged.results
        if one.needed and outcome.state == "fail" and isinstance(one.expected, Fact)
    ]


def _unsent(paths: Paths) -> Paths:
    return [path for path in paths if path.stage == "not_sent"]


def _sentence(name: str, paths: Sequence[Paths], unsent: Sequence[Paths]) -> list[str]:
    """How many of the questions ask for unsent text, where it stands, and what of the others."""
    chunks = {place.number for one in unsent for path in _unsent(one) for place in path.evidence}
    total = counted(len(paths), "question")
    asks = "asks" if len(unsent) == 1 else "ask"
    failed = f"that {name} fails and another passes {asks} for text that it never"
    head = f"{len(unsent):,} of the {total} {failed}"
    if len(unsent) == len(paths):
        head = f"All {total} {failed}" if len(paths) > 1 else f"The question {failed}"
    rest = [one for one in paths if not _unsent(one)]
    sent = rest and all(one and all(path.sent for path in one) for one in rest)
    others = "; what the others ask for was sent and left out of the answers" if sent else ""
    return [
        Bold(f"{head} sent."),
        f" It stands in {numbered('chunk', chunks)}, which its window cut off{others}.",
    ]
