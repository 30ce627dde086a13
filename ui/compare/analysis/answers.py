"""The answers of a comparison: equal ones together, with the reason why they are equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from synth.equivalence import same_prompts
from ui.compare.analysis.column_data import ColumnData


@dataclass(frozen=True)
class AnswerGroup:
    """Columns, by their positions, that gave one and the same answer."""

    answer: str
    positions: tuple[int, ...]


def identical_answers(answers: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """The positions of identical answers together: the largest group first, then in order."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for position, answer in enumerate(answers):
        groups[answer].append(position)
    return tuple(map(tuple, sorted(groups.values(), key=len, reverse=True)))


def answer_groups(columns: Sequence[ColumnData]) -> list[AnswerGroup]:
    """The different answers with their columns, in the order of the columns."""
    positions_of: defaultdict[str, list[int]] = defaultdict(list)
    for position, column in enumerate(columns):
        if column.answer is not None:
            positions_of[column.answer].append(position)
    return [AnswerGroup(answer, tuple(found)) for answer, found in positions_of.items()]


def neighbours(
    groups: Sequence[AnswerGroup], columns: int
) -> list[tuple[AnswerGroup | None, tuple[int, ...]]]:
    """The columns in order, neighbours with one answer together; None for those without any."""
    group_of = {position: group for group in groups for position in group.positions}
    return [(group, tuple(found)) for group, found in groupby(range(columns), group_of.get)]


def why_equal(columns: Sequence[ColumnData]) -> str:
    """Why these columns gave one answer, and what would make them differ; "" where nobody knows.

    A model of an endpoint may give one answer to different prompts for any reason.
    """
    traces = [column.trace for column in columns if column.trace is not None]
    together = len(same_prompts(traces)) == 1 and len(same_prompts(traces)[0]) == len(traces)
    if len({column.request for column in columns}) == 1:
        return "Their settings are the same. Change those of one under “Edit columns”."
    if together:
        run = ", so one run serves them all" if len(set(map(id, traces))) == 1 else ""
        return (
            f"They sent the very same prompts{run}. With more chunks, or a smaller window, the"
            " modes part."
        )
    if all(column.free for column in columns):
        return (
            "There is no language model here: the offline model picks sentences of the chunks, so"
            " different prompts can end with the same sentences. To see other words, choose an"
            " endpoint under Model in the sidebar."
        )
    return ""
