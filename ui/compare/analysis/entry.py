"""One column of a comparison as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synth.bounds import Bounds
from synth.models import Price
from synth.trace import Plan, Trace
from ui.request.request import Request

_LONGEST_NAME = 28  # letters of a name in a sentence or beside a bar


class Plans(NamedTuple):
    """Plans with short and with long answers, and what holds for every answer."""

    low: Plan
    high: Plan
    bounds: Bounds


@dataclass(frozen=True)
class Entry:
    """One column (or one repeat, one query of it) as data for the analysis.

    `label` ("A · compact") is unique. `low` and `high` are the plans with short and with long
    answers, `bounds` what holds for every answer; `refused` says why there are none. `trace`
    is that of a run that ended, `problem` says why a run failed outright.
    """

    label: str
    request: Request
    low: Plan | None
    high: Plan | None
    refused: str | None
    trace: Trace | None = None
    problem: str | None = None
    bounds: Bounds | None = None

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
        """The response of a run that came to its end."""
        return self.trace.response if self.trace else None

    @property
    def plans(self) -> Plans | None:
        """The plans with short and with long answers, if both come to their end."""
        if self.low is None or self.high is None or self.bounds is None:
            return None
        if self.low.problem or self.high.problem:
            return None
        return Plans(self.low, self.high, self.bounds)

    def cost(self, run: Plan | Trace) -> float | None:
        """US dollars of the calls at the list price, as if none had been answered before."""
        if self.free or not run.calls:
            return 0.0
        return self.price.of(run.prompt_tokens, run.output_tokens) if self.price else None


def any_ended(entries: Sequence[Entry]) -> bool:
    """Whether there is a run to speak of; until then all is about the plans."""
    return any(entry.trace or entry.problem for entry in entries)


def names(entries: Sequence[Entry]) -> list[str]:
    """What sentences call the columns: by mode, or by label where several have the mode.

    No two have one name, so long ones are cut only where that leaves them apart.
    """
    counts = Counter(entry.request.mode for entry in entries)
    found = [
        _short(entry.request.mode if counts[entry.request.mode] == 1 else entry.label)
        for entry in entries
    ]
    return found if len(set(found)) == len(found) else [entry.label for entry in entries]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
