"""A comparison, made once for a draw: what is asked, its columns, and a table, a row a run.

Each view is a groupby, a pivot or a plot of it. `RunRow` documents its columns.
"""

import math
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pandas as pd

from synth.lazy import defer
from synth.quality import Check, Fact, Follower, Outcome, do_all_pass
from synth.quality.checks import Expectation, judge, list_expectations
from synth.runs.trace import Plan, Trace
from synth.words.fact_words import fact_headline
from synth.words.plan_words import chunk_tokens, cut_off_tokens, sends_chunks
from ui.pages.compare import columns as stored
from ui.pages.compare.columns import Column
from ui.pages.compare.thumbs_and_notes import Rating, rating, rulings_on
from ui.plans.plan_range import PlanRange, plan_range
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.session.workspace import Holding
from ui.settings import expected, hosts, schema
from ui.settings.request import Model, Request
from ui.settings.schema import VARIABLE, Settings


@dataclass(frozen=True)
class Asked:
    """A question, and what is expected of the answers to it; `variables` fill the templates."""

    query: str
    variables: Mapping[str, str] = field(default_factory=dict, hash=False)
    facts: tuple[Fact, ...] = ()
    checks: tuple[Check, ...] = ()

    @defer
    def rubrics(self) -> tuple[str, ...]:
        """The texts that a model is to judge its answers by."""
        return tuple(check.rubric for check in self.checks if check.rubric is not None)

    @defer
    def expectations(self) -> tuple[Expectation, ...]:
        """The checks, then the facts, and which of them are needed."""
        return list_expectations(self.facts, self.checks)

    def needed(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Choose the outcomes that a run has to pass, of those in the order of what is expected."""
        pairs = zip(self.expectations, outcomes, strict=True)
        return [outcome for expected, outcome in pairs if expected.needed]


def list_lacks(
    trace: Trace, asked: Asked, outcomes: Sequence[Outcome], listed_chunks: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    """List what is needed and did not pass, with its sign, and with where a fact was lost.

    This takes a while.
    """
    follower = Follower(trace, listed_chunks)
    for one, outcome in zip(asked.expectations, outcomes, strict=True):
        if one.needed and outcome.state != "pass":
            reason = outcome.reason
            if isinstance(one.expected, Fact):
                path = follower.path(one.expected)
                reason = "".join(fact_headline(path, trace).sentence)
            yield "✕" if outcome.state == "fail" else "?", one.name, reason


MOST_RUNS = 4_000
"""The most runs of a comparison, whose calls stay in memory: the largest set in four columns."""


class AskedRun(NamedTuple):
    """What a run asks, and which time it asks that."""

    request: Request
    repeat: int = 0


@dataclass
class ComparedRuns(Holding):
    """The runs of a comparison: whoever goes back to older settings finds theirs again.

    Equal requests share a run. `looked` says whether saved ones were looked for; `judging` is the
    run that asks about answers. `pressing` is held while a press begins runs.
    """

    jobs: dict[AskedRun, Job] = field(default_factory=dict)
    looked: bool = False
    judging: list[Job] = field(default_factory=list)
    pressing: threading.Lock = field(default_factory=threading.Lock)

    @property
    def every(self) -> list[Job]:
        """All runs, those that judge too, each once."""
        return list(dict.fromkeys([*self.judging, *self.jobs.copy().values()]))

    @property
    def running(self) -> list[Job]:
        """Those that go on."""
        return [job for job in self.every if job.running]

    @property
    def busy(self) -> bool:
        """Whether any of them is still running, or is not saved yet."""
        return any(job.busy for job in self.every)

    def stop(self) -> None:
        """Stop all that go on; the answers that have arrived are kept."""
        for job in self.running:
            if not job.elsewhere:
                job.stop()


def compared_runs() -> ComparedRuns:
    """Return the runs of this tab's comparison."""
    return workspace.current().holding(ComparedRuns)


_MADE = ("calls_low", "calls", "tokens", "cost", "cut_off", "chunk_tokens", "seconds", "ended")
_NUMBERS = (*_MADE, "needed", "passed", "score", "right")


class RunRow(NamedTuple):
    """A run of a comparison. What is a number is NaN where nobody knows it.

    The numbers of a run that has ended are what it made. Of another they are what it makes at
    most, whatever the model answers; where nothing bounds that (`bounded`), what it makes if each
    answer fills its room.
    """

    column: str  # the letter of its column
    question: int  # the position of its question, from 0
    repeat: int  # the position among the runs of that column and question, from 0
    request: Request
    plans: PlanRange
    missing: str  # why nothing can be sent with its settings; "" where it can
    job: Job | None
    outcomes: tuple[Outcome, ...] = ()  # of what is expected of its answer
    note: str = ""  # of a person
    bounded: bool = True
    calls_low: float = math.nan  # the least, whatever the model answers
    calls: float = math.nan
    tokens: float = math.nan  # of all prompts and answers
    cost: float = math.nan  # US dollars at the price of its model, reused answers included
    cut_off: float = math.nan  # tokens; NaN for a mode that sends no chunk
    chunk_tokens: float = math.nan
    seconds: float = math.nan  # of an endpoint, where no answer was reused
    ended: float = 0.0  # 1 for a run that has ended
    needed: float = math.nan  # checks and facts that it has to pass
    passed: float = math.nan  # of these
    score: float = math.nan  # 1 where all that are needed passed, 0 where one failed
    right: float = math.nan  # 1 for a thumb up, 0 for a thumb down

    @property
    def key(self) -> AskedRun:
        """What it asks, under which its run is held."""
        return AskedRun(self.request, self.repeat)

    @property
    def trace(self) -> Trace | None:
        """The trace of a run that ended."""
        return None if self.job is None or self.job.running else self.job.trace

    @property
    def problem(self) -> str | None:
        """Why a run failed without a trace."""
        return None if self.job is None or self.job.running else self.job.problem

    @property
    def answer(self) -> str | None:
        """The response of a run that finished."""
        return self.trace.response if self.trace else None

    @property
    def can_run(self) -> bool:
        """Whether nothing refuses its request, and it has a question if it asks a model."""
        return self.plans.refused is None and not self.request.lacks_question

    @property
    def lacks_answer(self) -> bool:
        """Whether it can be run, and has no response yet."""
        return self.can_run and self.answer is None

    @property
    def run(self) -> Plan | Trace | None:
        """What it made, else what it would make with long answers."""
        return self.trace if self.trace and self.trace.calls else self.plans.high


def frame_of(rows: Iterable[RunRow]) -> pd.DataFrame:
    """Make the table of these rows."""
    frame = pd.DataFrame(rows, columns=RunRow._fields, dtype=object)
    return frame.astype(dict.fromkeys(_NUMBERS, float) | {"question": int, "repeat": int})


def scores_of(frame: pd.DataFrame, value: str) -> pd.DataFrame:
    """Pivot a number to a row a question and a column a column, the mean of its repeats."""
    letters = frame["column"].unique()
    pivot = frame.pivot_table(value, "question", "column", "mean", dropna=False, sort=False)
    return pivot.reindex(columns=letters)


def with_numbers(row: RunRow) -> RunRow:
    """Add what the run made, or what its plan bounds."""
    trace, plans, model = row.trace, row.plans.plans, row.request.model
    if trace is not None:
        spent = trace.spent
        unpriced = 0.0 if model.free or not spent.calls else math.nan
        untimed = model.free or any(call.replayed for call in trace.calls)
        row = row._replace(
            calls_low=trace.call_count,
            calls=trace.call_count,
            tokens=spent.prompt_tokens + spent.output_tokens,
            cost=model.price.of(*spent.tokens) if model.price else unpriced,
            seconds=math.nan if untimed else trace.seconds,
            ended=1.0,
        )
    elif plans is not None and not (plans.low.problem or plans.high.problem):
        bounds = plans.bounds
        bounded = bounds.calls.high < math.inf
        most = bounds.prompt_tokens.high, bounds.output_tokens.high
        if not bounded:
            most = plans.high.prompt_tokens, plans.high.output_tokens
        unpriced = 0.0 if model.free or not most[0] else math.nan
        row = row._replace(
            bounded=bounded,
            calls_low=bounds.calls.low,
            calls=bounds.calls.high if bounded else plans.high.call_count,
            tokens=sum(most),
            cost=model.price.at_most(*most) if model.price else unpriced,
        )
    run = trace or row.plans.high
    if run is None or not sends_chunks(run):
        return row
    return row._replace(cut_off=cut_off_tokens(run), chunk_tokens=chunk_tokens(run))


def with_verdicts(
    row: RunRow, asked: Asked, outcomes: tuple[Outcome, ...], rating: Rating
) -> RunRow:
    """Add what passed in the answer of a run, and what a person said of it."""
    needed = asked.needed(outcomes) if outcomes else []
    score = do_all_pass(needed)
    return row._replace(
        outcomes=outcomes,
        note=rating.note,
        needed=len(needed) or math.nan,
        passed=sum(one.state == "pass" for one in needed) if needed else math.nan,
        score=math.nan if score is None else float(score),
        right=math.nan if rating.thumb is None else float(rating.thumb),
    )


def verdict_words(row: RunRow) -> str:
    """Say how much of what is needed a run has, and its thumb: "2/2 right"; "" for neither."""
    parts = [f"{row.passed:.0f}/{row.needed:.0f}"] if row.needed > 1 else []
    if not math.isnan(row.right):
        parts.append("right" if row.right else "wrong")
    return " ".join(parts)


def sign_of(row: RunRow) -> tuple[str, str]:
    """Return the sign of a run and its name: passed, not passed, not decided, no answer."""
    if row.answer is None:
        return ("–", "failed") if row.trace or row.problem else ("–", "not run")
    if math.isnan(row.score):
        return ("?", "not decided") if row.needed > 0 else ("○", "answered")
    return ("✓", "passed") if row.score else ("×", "not passed")


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
        return f"{self.name} · {self.title}"

    @property
    def title(self) -> str:
        """What it is called beside its letter."""
        return f"{self.request.mode}, {self.differs}" if self.differs else self.request.mode


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


def _judge_rows(comparison: Comparison, rows: Sequence[RunRow]) -> list[RunRow]:
    """Add what is judged of each run that ended, from memory while it is that."""
    model = Model.of(comparison.judge_settings).name
    cases: dict[int, tuple[Any, ...]] = {}
    for at, row in enumerate(rows):
        if row.job is not None and row.trace is not None:
            asked = comparison.asked[row.question]
            rulings = rulings_on(model, asked.query, row.answer or "", asked.rubrics)
            cases[at] = row.job, row.job.events_read, asked, tuple(rulings.items())

    def judge_case(case: tuple[Any, ...]) -> tuple[Outcome, ...]:
        job, _, asked, rulings = case
        return judge(job.trace, asked.expectations, dict(rulings))

    known = workspace.current().remember_all("outcomes", cases.values(), judge_case)
    verdicts = []
    for at, row in enumerate(rows):
        asked, outcomes = comparison.asked[row.question], known[cases[at]] if at in cases else ()
        given = Rating() if row.answer is None else rating(asked.query, row.answer)
        verdicts.append(with_verdicts(row, asked, outcomes, given))
    return verdicts


def _columns(page: Settings, columns: Sequence[Column]) -> tuple[ColumnInputs, ...]:
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
