"""The comparison on the page: its columns, questions and repeats, with their plans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from synth.quality import Question
from ui.compare.analysis.column_data import ColumnData
from ui.compare.columns import NO_VARIABLES, Column, column_label, settings_of
from ui.compare.run_slots import RunSlot, leaders, slot_runs
from ui.plan.plan_range import PlanRange, plan_range
from ui.request.from_settings import request_from
from ui.request.request import Request
from ui.session import keys, workspace
from ui.settings import hosts, question_set, state
from ui.settings.names import Lookup

MOST_RUNS = 300
"""The most runs that one press of the button starts."""
MOST_REPEATS = 10
"""How often each column is asked each question at most."""


@dataclass(frozen=True)
class Comparison:
    """Columns that are asked each of the questions, each so many times.

    `requests` are by column and question: by the slot of the first repeat. `asked` are
    the questions with what is expected of their answers, if they are those of a set.
    """

    columns: tuple[Column, ...]
    questions: tuple[str, ...]
    repeats: int
    requests: Mapping[RunSlot, Request]
    plans: Mapping[Request, PlanRange]
    leaders: Mapping[RunSlot, RunSlot]
    asked: tuple[Question, ...] = ()

    def slots(self) -> Iterator[RunSlot]:
        """All slots, question by question; a column that serves others precedes them."""
        for question in range(len(self.questions)):
            for repeat in range(self.repeats):
                for column in self.columns:
                    yield RunSlot(column.name, question, repeat)

    def request(self, slot: RunSlot) -> Request:
        """The request of a slot as the settings are now."""
        return self.requests[slot._replace(repeat=0)]

    def refused(self, slot: RunSlot) -> bool:
        """Whether the request of a slot can't be run."""
        return self.plans[self.request(slot)].refused is not None

    def leader(self, slot: RunSlot) -> RunSlot:
        """The slot whose run serves this one too; mostly its own."""
        return self.leaders[slot._replace(repeat=0)]._replace(repeat=slot.repeat)

    def column(self, name: str) -> Column:
        """The column of that name."""
        [column] = [column for column in self.columns if column.name == name]
        return column

    def can_run(self, slot: RunSlot) -> bool:
        """Whether nothing refuses its request, and it has a question if it asks a model."""
        return not (self.refused(slot) or self.request(slot).lacks_question)

    def settings(self, slot: RunSlot) -> Lookup:
        """The settings of a slot, to be looked up by name."""
        variables = self.asked[slot.question].variables if self.asked else NO_VARIABLES
        return settings_of(self.column(slot.column), self.questions[slot.question], variables)

    @property
    def lookups(self) -> list[Lookup]:
        """The settings of each column."""
        return [settings_of(column, "") for column in self.columns]

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """The hosts of its columns that the person did not choose in this session."""
        return hosts.unconfirmed(self.lookups)

    def column_data(self, column: Column, question: int) -> ColumnData:
        """The run of a column, even one that is out of date, and the plan of its request.

        In a list of questions the run of another question, which stood in its place, is no run
        of this one.
        """
        slot_run = slot_runs().get(RunSlot(column.name, question))
        listed = len(self.questions) > 1
        if listed and slot_run and slot_run.request.query != self.questions[question]:
            slot_run = None
        request = slot_run.request if slot_run else self.request(RunSlot(column.name, question))
        plans = self.plans.get(request) or plan_range(request)
        job = slot_run.job if slot_run and not slot_run.job.running else None
        return ColumnData(
            column_label(column, request.mode),
            request,
            plans.low,
            plans.high,
            plans.refused,
            job.trace if job else None,
            job.problem if job else None,
            plans.bounds,
        )


def comparison_of(columns: tuple[Column, ...]) -> Comparison:
    """These columns with the questions and repeats that the editors hold."""
    values = workspace.current().values
    asked = question_set.questions()
    questions = tuple(question.query for question in asked) or _typed_questions()
    variables = [question.variables for question in asked] or [NO_VARIABLES] * len(questions)
    requests = {
        RunSlot(column.name, number): request_from(settings_of(column, question, own))
        for number, (question, own) in enumerate(zip(questions, variables, strict=True))
        for column in columns
    }
    # A list of questions has more plans than `remembered` keeps.
    plans = workspace.current().remembered_together(
        "compared plans", dict.fromkeys(requests.values()), plan_range
    )
    repeats = int(values.get(keys.REPEATS, 1))
    found = leaders(requests, plans)
    return Comparison(columns, questions, repeats, requests, plans, found, asked)


def _typed_questions() -> tuple[str, ...]:
    """The list of questions, else the question of the Playground."""
    lines = workspace.current().values.get(keys.QUESTIONS, "").splitlines()
    listed = dict.fromkeys(filter(None, (line.strip() for line in lines)))
    return tuple(listed) or (state.get("question"),)


@dataclass(frozen=True)
class ColumnView:
    """A column to draw, for one question.

    `names` are the names of all columns in sentences, by the names of the columns; `reference`
    is the column that the others are compared with.
    """

    comparison: Comparison
    column: Column
    question: int
    reference: Column
    names: Mapping[str, str]

    @property
    def name(self) -> str:
        """What it is called in sentences."""
        return self.names[self.column.name]

    @property
    def slot(self) -> RunSlot:
        """The slot of its first repeat."""
        return RunSlot(self.column.name, self.question)

    @property
    def is_reference(self) -> bool:
        """Whether the others are compared with this column."""
        return self.column == self.reference
