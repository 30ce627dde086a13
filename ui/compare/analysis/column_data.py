"""One column of a comparison as data, its name in sentences, and how many sentences fit."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synth.bounds import Bounds
from synth.models import Price
from synth.quality import Measures
from synth.trace import Plan, Trace
from ui.request.request import Request

FINDINGS_LENGTH = 320
"""Characters of two lines at 16.5 px and 1,300 px wide."""
_LONGEST_NAME = 28  # characters of a name in a sentence or beside a bar


class CompletePlans(NamedTuple):
    """Two plans that finish, with short and with long answers, and the bounds of every run."""

    low: Plan
    high: Plan
    bounds: Bounds


@dataclass(frozen=True)
class ColumnData:
    """The plans of one column for one question, and its run once that has ended.

    `label` ("A · compact") is unique. `low` and `high` are the plans with short and with long
    answers, `bounds` hold for every answer; `refused` says why there are none. `trace` is that
    of a run that ended; `problem` says why a run failed without a trace. `measures` are those of
    its answer, on pages that show them.
    """

    label: str
    request: Request
    low: Plan | None
    high: Plan | None
    refused: str | None
    trace: Trace | None = None
    problem: str | None = None
    bounds: Bounds | None = None
    measures: Measures | None = None

    @property
    def free(self) -> bool:
        """Whether its model never costs anything."""
        return self.request.model.free

    @property
    def price(self) -> Price | None:
        """The list price of its model, if it is known."""
        return self.request.model.price

    @property
    def answer(self) -> str | None:
        """The response of a run that finished."""
        return self.trace.response if self.trace else None

    @property
    def plans(self) -> CompletePlans | None:
        """The plans with short and with long answers, if both finish."""
        if self.low is None or self.high is None or self.bounds is None:
            return None
        if self.low.problem or self.high.problem:
            return None
        return CompletePlans(self.low, self.high, self.bounds)

    def cost(self, run: Plan | Trace) -> float | None:
        """US dollars of all calls at the list price, reused answers included."""
        if self.free or not run.calls:
            return 0.0
        return self.price.of(*run.spent.tokens) if self.price else None

    def most_cost(self, bounds: Bounds) -> float:
        """The most US dollars that a run within these bounds costs; math.inf where nobody knows."""
        if self.free or not bounds.calls.high:
            return 0.0
        return bounds.cost(self.price) if self.price else math.inf

    def seconds(self, run: Plan | Trace) -> float | None:
        """The seconds of a run of an endpoint, unless some of its answers were reused."""
        if self.free or not isinstance(run, Trace) or any(call.replayed for call in run.calls):
            return None
        return run.seconds


def any_ended(columns: Sequence[ColumnData]) -> bool:
    """Whether a run of any column has ended; until then the page shows the plans."""
    return any(column.trace or column.problem for column in columns)


def names(columns: Sequence[ColumnData]) -> list[str]:
    """The columns' names in sentences: the mode, or the label where several have that mode.

    No two columns have one name: long names are shortened only if they stay different.
    """
    counts = Counter(column.request.mode for column in columns)
    short_names = [
        _short(column.request.mode if counts[column.request.mode] == 1 else column.label)
        for column in columns
    ]
    unique = len(set(short_names)) == len(short_names)
    return short_names if unique else [column.label for column in columns]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def fitting(sentences: Iterable[Sequence[str]]) -> list[str]:
    """The parts of the sentences that fit on two lines; one that is too long is left out."""
    chosen: list[str] = []
    for sentence in sentences:
        parts = [" ", *sentence] if chosen else [*sentence]
        if sentence and sum(map(len, chosen + parts)) <= FINDINGS_LENGTH:
            chosen += parts
    return chosen
