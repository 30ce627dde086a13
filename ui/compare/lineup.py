"""What is set side by side at the moment: columns, questions, repeats, and their plans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ui.compare import columns as store
from ui.compare.analysis import Entry
from ui.compare.columns import Column
from ui.compare.run_slots import RunSlot, slot_runs
from ui.compare.sharing import leaders
from ui.plan.plan_range import PlanRange, plan_range
from ui.request.from_settings import request_from
from ui.request.request import Request
from ui.session import keys, workspace
from ui.settings import state
from ui.settings.names import Lookup

MOST_RUNS = 200
"""Runs that one press of the button starts at most."""


@dataclass(frozen=True)
class Lineup:
    """Columns that are asked each of the questions, each so many times.

    `requests` are by column and question: by the slot of the first repeat.
    """

    columns: tuple[Column, ...]
    questions: tuple[str, ...]
    repeats: int
    requests: Mapping[RunSlot, Request]
    plans: Mapping[Request, PlanRange]
    leaders: Mapping[RunSlot, RunSlot]

    def slots(self) -> Iterator[RunSlot]:
        """All slots, question by question; those of a column that serves others come first."""
        for question in range(len(self.questions)):
            for repeat in range(self.repeats):
                for column in self.columns:
                    yield RunSlot(column.name, question, repeat)

    def request(self, slot: RunSlot) -> Request:
        """What is asked at a slot."""
        return self.requests[slot._replace(repeat=0)]

    def refused(self, slot: RunSlot) -> bool:
        """Whether there can be no run at a slot."""
        return self.plans[self.request(slot)].refused is not None

    def leader(self, slot: RunSlot) -> RunSlot:
        """The slot whose run serves this one too; mostly its own."""
        return self.leaders[slot._replace(repeat=0)]._replace(repeat=slot.repeat)

    def settings(self, slot: RunSlot) -> Lookup:
        """Looks up the settings at a slot."""
        [column] = [one for one in self.columns if one.name == slot.column]
        return store.settings_of(column, self.questions[slot.question])

    def entry(self, column: Column, question: int, repeat: int = 0) -> Entry:
        """A slot as data: the run that stands there, even one out of date, else the plan."""
        slot = RunSlot(column.name, question, repeat)
        compared = slot_runs().get(slot)
        request = compared.request if compared else self.request(slot)
        found = self.plans.get(request) or plan_range(request)
        job = compared.job if compared and not compared.job.running else None
        return Entry(
            store.label(column, request.mode),
            request,
            found.low,
            found.high,
            found.refused,
            job.trace if job else None,
            job.problem if job else None,
            found.bounds,
        )


def lineup(columns: tuple[Column, ...]) -> Lineup:
    """These columns with the questions and repeats that are asked for."""
    asks = questions()
    requests = {
        RunSlot(column.name, number): request_from(store.settings_of(column, question))
        for number, question in enumerate(asks)
        for column in columns
    }
    plans = _plans(requests.values())
    return Lineup(columns, asks, repeats(), requests, plans, leaders(requests, plans))


def questions() -> tuple[str, ...]:
    """The list of questions without blank lines; where there is none, the Playground's own."""
    lines = workspace.current().values.get(keys.QUESTIONS, "").splitlines()
    listed = dict.fromkeys(line.strip() for line in lines if line.strip())
    return tuple(listed) or (state.get("question"),)


def repeats() -> int:
    """How often each question is asked."""
    return int(workspace.current().values.get(keys.REPEATS, 1))


def _plans(requests: Iterable[Request]) -> dict[Request, PlanRange]:
    """All plans; a list of questions has more of them than `remembered` keeps."""
    distinct = dict.fromkeys(requests)
    return workspace.current().remembered_together("compared plans", distinct, plan_range)
