"""The comparison on the page, made once for a draw: columns, questions, and a row for each run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from synth.lazy import defer
from synth.quality import Check, Outcome
from synth.quality.checks import judge
from synth.quality.rubric import Ruling
from synth.runs.prices import Price
from synth.runs.trace import Trace
from ui.pages.compare import columns as stored
from ui.pages.compare.columns import Column
from ui.pages.compare.frame import (
    Asked,
    RunRow,
    compared_runs,
    frame_of,
    with_numbers,
    with_verdicts,
)
from ui.pages.compare.ratings import Rating, rating, rulings_on
from ui.plans.plan_range import plan_range
from ui.session import keys, workspace
from ui.settings import expected, hosts, schema
from ui.settings.request import Model, Request
from ui.settings.schema import VARIABLE, Settings


@dataclass(frozen=True)
class ColumnInputs:
    """A column with its settings and its request, made once for a draw.

    `missing` says why nothing can be sent with them; `differs` what else than its mode tells it
    from the others.
    """

    name: str
    settings: Settings
    request: Request
    missing: str = ""
    differs: str = ""

    @property
    def label(self) -> str:
        """What it is called where it stands alone: "A · compact, window 512"."""
        label = f"{self.name} · {self.request.mode}"
        return f"{label}, {self.differs}" if self.differs else label


@dataclass(frozen=True)
class Comparison:
    """Columns that are asked each of the questions, each so many times.

    `rows` has each run, question by question. `page` are the settings that the columns override.
    """

    page: Settings
    columns: tuple[ColumnInputs, ...]
    asked: tuple[Asked, ...]
    repeats: int
    rows: Sequence[RunRow]

    @defer
    def runs(self) -> pd.DataFrame:
        """The table of all runs."""
        return frame_of(self.rows)

    @defer
    def by_question(self) -> dict[int, list[RunRow]]:
        """The runs of each question, repeat by repeat."""
        rows: dict[int, list[RunRow]] = {}
        for row in self.rows:
            rows.setdefault(row.question, []).append(row)
        return rows

    def of_question(self, question: int) -> list[RunRow]:
        """The first run of each column that is asked this question."""
        return [row for row in self.by_question[question] if not row.repeat]

    def repeats_of(self, column: str, question: int) -> list[RunRow]:
        """All runs of a column that is asked this question."""
        return [row for row in self.by_question[question] if row.column == column]

    def column(self, name: str) -> ColumnInputs:
        """The column of that letter."""
        return next(column for column in self.columns if column.name == name)

    @defer
    def judge_settings(self) -> Settings:
        """The settings of the model that judges by rubrics: the page's, whatever columns have."""
        return self.page.with_({"temperature": 0.0, "num_output": 400})

    @defer
    def lookups(self) -> list[Settings]:
        """The settings of each column, and those of the model that judges by rubrics."""
        own = [column.settings for column in self.columns]
        asks = self.page.model_kind.needs_address and any(one.rubrics for one in self.asked)
        return [*own, self.judge_settings] if asks else own

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """The hosts of its columns that the person did not choose in this session."""
        return hosts.find_unconfirmed(self.lookups)


def comparison_of(page: Settings, columns: Sequence[Column]) -> Comparison:
    """Make the comparison of these columns, with the questions and repeats that are chosen."""
    asked = _asked_now(page)
    inputs = _columns(page, columns)
    repeats = workspace.value(keys.REPEATS, 1)
    rows = _rows(inputs, asked, repeats)
    return with_runs(Comparison(page, inputs, asked, repeats, rows))


def with_runs(comparison: Comparison) -> Comparison:
    """Put the runs of today into the comparison: what they made, and what is said of them."""
    jobs = compared_runs().jobs
    rows = [with_numbers(row._replace(job=jobs.get(row.key))) for row in comparison.rows]
    return replace(comparison, rows=_judge_rows(comparison, rows))


def _asked_now(page: Settings) -> tuple[Asked, ...]:
    """The questions of the set, else those that are listed, else that of the Playground.

    Facts that were typed for a question take the place of those of the set; rubrics are added.
    """
    if given := expected.questions():
        return tuple(_asked(one.query, one.variables, one.checks) for one in given)
    lines = workspace.value(keys.QUESTIONS, "").splitlines()
    listed = dict.fromkeys(filter(None, (line.strip() for line in lines)))
    return tuple(_asked(query, {}, ()) for query in listed or [page.query_str])


def _asked(query: str, variables: Mapping[str, str], checks: tuple[Check, ...]) -> Asked:
    facts, _ = expected.facts_of(query)
    return Asked(query, variables, facts, (*checks, *expected.rubrics_of(query)))


def _rows(columns: Sequence[ColumnInputs], asked: Sequence[Asked], repeats: int) -> list[RunRow]:
    """A row for each run, without what is known of it."""
    requests = [
        [column.request.asking(one.query, one.variables, column.settings) for column in columns]
        for one in asked
    ]
    # A list of questions has more plans than `remember` keeps.
    every = dict.fromkeys(request for row in requests for request in row)
    plans = workspace.current().remember_all("compared plans", every, plan_range)
    return [
        RunRow(column.name, question, repeat, request, plans[request], column.missing, None)
        for question, row in enumerate(requests)
        for repeat in range(repeats)
        for column, request in zip(columns, row, strict=True)
    ]


Case = tuple[int, int, Asked, tuple[tuple[str, Ruling], ...]]


def _judge_rows(comparison: Comparison, rows: Sequence[RunRow]) -> list[RunRow]:
    """Add what is judged of each run that ended, from memory while it is that."""
    model = Model.of(comparison.judge_settings).name
    traces: dict[int, tuple[Trace, Price | None]] = {}
    cases: dict[int, Case] = {}
    for at, row in enumerate(rows):
        if row.job is not None and row.trace is not None:
            asked, serial = comparison.asked[row.question], row.job.serial
            rulings = rulings_on(model, asked.query, row.answer or "", asked.rubrics)
            traces[serial] = row.trace, row.request.model.price
            cases[at] = serial, row.job.events_read, asked, tuple(rulings.items())

    def judge_case(case: Case) -> tuple[Outcome, ...]:
        serial, _, asked, rulings = case
        trace, price = traces[serial]
        return judge(trace, asked.expectations, price, dict(rulings))

    known = workspace.current().remember_all("outcomes", cases.values(), judge_case)
    verdicts = []
    for at, row in enumerate(rows):
        asked, case = comparison.asked[row.question], cases.get(at)
        given = Rating() if row.answer is None else rating(asked.query, row.answer)
        verdicts.append(with_verdicts(row, asked, known[case] if case else (), given))
    return verdicts


def _columns(page: Settings, columns: Sequence[Column]) -> tuple[ColumnInputs, ...]:
    """The columns, each with what tells it from the others."""
    settings = [stored.settings_of(page, column) for column in columns]
    names = dict.fromkeys(name for column in columns for name, _ in column.overrides)
    values = {name: list(dict.fromkeys(own.value(name) for own in settings)) for name in names}
    differing = [name for name in names if name != "mode" and len(values[name]) > 1]
    return tuple(
        ColumnInputs(
            column.name,
            own,
            Request.of(own),
            hosts.why_not(own),
            ", ".join(_say(name, own.value(name), values[name]) for name in differing),
        )
        for column, own in zip(columns, settings, strict=True)
    )


def _say(name: str, value: Any, values: Sequence[Any]) -> str:
    """Say what a column has of its own, where all columns have these values."""
    if schema.is_of_template(name):
        return f"wording {values.index(value) + 1} of {name}"
    if name.startswith(VARIABLE):
        return f"variable {name.removeprefix(VARIABLE)} {value}"
    return str(value) if name == "model_name" else schema.say(name, value)
