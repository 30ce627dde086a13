"""The answers of a comparison: which are the same, and all of them as a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import pandas as pd

from ui.compare.analysis.entry import Entry


def groups(answers: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """The places of identical answers together, the largest group first, then by first place."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, answer in enumerate(answers):
        places[answer].append(place)
    return tuple(map(tuple, sorted(places.values(), key=len, reverse=True)))


def grid_frame(questions: Sequence[str], columns: Sequence[Sequence[Entry]]) -> pd.DataFrame:
    """A row a question, a column for each of `columns`: its answers, in order of the questions."""
    frame = pd.DataFrame({"Question": pd.Series(questions, dtype=object)})
    for column in columns:
        if column:
            frame[column[0].label] = pd.Series([outcome(entry) for entry in column], dtype=object)
    return frame


def outcome(entry: Entry) -> str:
    """The answer, or in a few words why there is none."""
    if entry.refused is not None:
        return f"refused: {entry.refused}"
    if entry.problem is not None:
        return f"failed: {entry.problem}"
    if entry.trace is None:
        return "not yet"
    if entry.trace.response is not None:
        return entry.trace.response
    return "stopped" if entry.trace.stopped else f"failed: {entry.trace.error}"
