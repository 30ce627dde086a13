"""What is set side by side at the moment: columns, questions, repeats, and their plans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ui.compare import columns as store
from ui.compare.analysis import Entry
from ui.compare.columns import Column
from ui.compare.sharing import leaders
from ui.plan.plan_range import Outlook, outlook
from ui.request.from_settings import asked
from ui.request.request import Request
from ui.session import workspace
from ui.session.workspace import Place
from ui.settings import model, state
from ui.settings.state import Get

QUESTIONS, REPEATS = "compare_questions", "compare_repeats"
"""Names in the workspace: a list of questions, one a line; how often each is asked."""

MOST_RUNS = 200
"""Runs that one press of the button starts at most."""


@dataclass(frozen=True)
class Lineup:
    """Columns that are asked each of the questions, each so many times.

    `requests` and `outlooks` are by column and question, as a place of the first repeat.
    """

    columns: tuple[Column, ...]
    questions: tuple[str, ...]
    repeats: int
    requests: Mapping[Place, Request]
    outlooks: Mapping[Request, Outlook]
    leaders: Mapping[Place, Place]

    def places(self) -> Iterator[Place]:
        """All places, question by question; those of a column that serves others come first."""
        for question in range(len(self.questions)):
            for repeat in range(self.repeats):
                for column in self.columns:
                    yield Place(column.name, question, repeat)

    def request(self, place: Place) -> Request:
        """What is asked at a place."""
        return self.requests[place._replace(repeat=0)]

    def refused(self, place: Place) -> bool:
        """Whether there can be no run at a place."""
        return self.outlooks[self.request(place)].refused is not None

    def leader(self, place: Place) -> Place:
        """The place whose run serves this one too; mostly its own."""
        return self.leaders[place._replace(repeat=0)]._replace(repeat=place.repeat)

    def settings(self, place: Place) -> Get:
        """Looks up the settings at a place."""
        [column] = [one for one in self.columns if one.name == place.column]
        return store.settings_of(column, self.questions[place.question])

    def entry(self, column: Column, question: int, repeat: int = 0) -> Entry:
        """A place as data: the run that stands there, even one out of date, else the plan."""
        place = Place(column.name, question, repeat)
        compared = workspace.current().compared.get(place)
        request = compared.request if compared else self.request(place)
        found = self.outlooks.get(request) or outlook(request)
        job = compared.job if compared and not compared.job.running else None
        return Entry(
            store.label(column, request.mode),
            request,
            found.low,
            found.high,
            found.refused,
            job.trace if job else None,
            job.problem if job else None,
            compared.job.price if compared else model.price(self.settings(place)),
            found.bounds,
        )


def lineup(columns: tuple[Column, ...]) -> Lineup:
    """These columns with the questions and repeats that are asked for."""
    asks = questions()
    requests = {
        Place(column.name, number): asked(store.settings_of(column, question))
        for number, question in enumerate(asks)
        for column in columns
    }
    outlooks = _outlooks(set(requests.values()))
    return Lineup(columns, asks, repeats(), requests, outlooks, leaders(requests, outlooks))


def questions() -> tuple[str, ...]:
    """The list of questions without blank lines; where there is none, the Playground's own."""
    lines = workspace.current().values.get(QUESTIONS, "").splitlines()
    listed = dict.fromkeys(line.strip() for line in lines if line.strip())
    return tuple(listed) or (state.get("question"),)


def repeats() -> int:
    """How often each question is asked."""
    return int(workspace.current().values.get(REPEATS, 1))


def _outlooks(requests: set[Request]) -> dict[Request, Outlook]:
    """All plans; a list of questions has more of them than the workspace would remember."""
    known: dict[Request, Outlook] = workspace.current().remembered("outlooks", "all", dict)
    found = {request: known.get(request) or outlook(request) for request in requests}
    known.clear()
    known.update(found)
    return found
