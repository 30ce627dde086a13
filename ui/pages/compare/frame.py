"""A comparison as one table: what is asked, a row for each run, and the runs that were made.

Each view is a groupby, a pivot or a plot of it. `RunRow` documents its columns.
"""

import math
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd

from synth.lazy import defer
from synth.quality import Check, Fact, Follower, Outcome, do_all_pass
from synth.quality.checks import Expectation, list_expectations
from synth.runs.calls import Spent
from synth.runs.trace import Plan, Trace
from synth.words.fact_words import fact_headline
from synth.words.plan_words import chunk_tokens, cut_off_tokens, sends_chunks
from ui.pages.compare.ratings import Rating
from ui.plans.plan_range import PlanRange
from ui.runs.job import Job
from ui.session import workspace
from ui.session.workspace import Holding
from ui.settings.request import Request


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


def reasons(
    trace: Trace, asked: Asked, outcomes: Sequence[Outcome], listed_chunks: Sequence[str]
) -> Iterator[str]:
    """Give the reason of each outcome, with where a fact was lost: this takes a while."""
    follower = Follower(trace, listed_chunks)
    for one, outcome in zip(asked.expectations, outcomes, strict=True):
        if isinstance(one.expected, Fact):
            path = follower.path(one.expected)
            yield "".join(fact_headline(path, trace).sentence)
        else:
            yield outcome.reason


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
    trace, plans = row.trace, row.plans.plans
    if trace is not None:
        spent = trace.spent
        row = row._replace(
            calls_low=trace.call_count,
            calls=trace.call_count,
            tokens=spent.prompt_tokens + spent.output_tokens,
            cost=_cost(row, spent),
            seconds=_seconds(row, trace),
            ended=1.0,
        )
    elif plans is not None and not (plans.low.problem or plans.high.problem):
        bounds = plans.bounds
        bounded = bounds.calls.high < math.inf
        most = bounds.prompt_tokens.high, bounds.output_tokens.high
        if not bounded:
            most = plans.high.prompt_tokens, plans.high.output_tokens
        row = row._replace(
            bounded=bounded,
            calls_low=bounds.calls.low,
            calls=bounds.calls.high if bounded else plans.high.call_count,
            tokens=sum(most),
            cost=_cost_at_most(row, *most),
        )
    run = trace or row.plans.high
    if run is None or not sends_chunks(run):
        return row
    return row._replace(cut_off=cut_off_tokens(run), chunk_tokens=chunk_tokens(run))


def _cost(row: RunRow, spent: Spent) -> float:
    model = row.request.model
    if model.price is not None:
        return model.price.of(*spent.tokens)
    return 0.0 if model.free or not spent.calls else math.nan


def _cost_at_most(row: RunRow, prompt_tokens: float, output_tokens: float) -> float:
    model = row.request.model
    if model.price is not None:
        return model.price.at_most(prompt_tokens, output_tokens)
    return 0.0 if model.free or not prompt_tokens else math.nan


def _seconds(row: RunRow, trace: Trace) -> float:
    reused = any(call.replayed for call in trace.calls)
    return math.nan if row.request.model.free or reused else trace.seconds


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


def sign_of(row: RunRow) -> tuple[str, str]:
    """Return the sign of a run and its name: passed, not passed, not decided, no answer."""
    if row.answer is None:
        return ("–", "failed") if row.trace or row.problem else ("–", "not run")
    if math.isnan(row.score):
        return ("?", "not decided") if row.needed > 0 else ("○", "answered")
    return ("✓", "passed") if row.score else ("×", "not passed")
