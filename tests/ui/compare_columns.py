"""Runs of Compare: made by hand from sample calls, or planned and run in a world."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from synth.errors import SynthError
from synth.quality.checks import judge
from synth.runs.bounds import Bounds, Range
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.prices import Price
from synth.runs.trace import Plan, Trace
from tests.invariants.world import World
from tests.recipes import make_request
from tests.ui.sample_calls import answer, chunk, chunks_of, setup_of
from ui.pages.compare.comparison import (
    Asked,
    ColumnInputs,
    Comparison,
    RunRow,
    with_numbers,
    with_verdicts,
)
from ui.pages.compare.thumbs_and_notes import Rating
from ui.plans.plan_range import PlanRange
from ui.runs.job import Job
from ui.settings.request import Model, Request
from ui.settings.schema import DEFAULT

CHUNKS = chunks_of(10, 20, 30)
PRICE = Price(1_000.0, 10_000.0)  # $0.001 a prompt token, $0.01 an output token
ENDPOINT = Model("endpoint", "some model")
NO_PLAN = PlanRange()


def request_of(mode: str, model: Model = ENDPOINT) -> Request:
    limits = {"num_output": 10, "chunk_overlap_ratio": 0.0, "templates": ()}
    request = make_request("compact", "why so", tuple(CHUNKS), 100, model=model, **limits)
    return replace(request, mode=mode)  # which may be one that nobody registered


def chain_of(make: Any, *groups: Sequence[int]) -> list[Any]:
    """A call for each group of chunks, each reading the answer before it."""
    return [
        make(
            number,
            number - 1,
            *[chunk(CHUNKS[at], at + 1) for at in group],
            *([answer(number - 1)] if number > 1 else []),
        )
        for number, group in enumerate(groups, 1)
    ]


def fan_of(make: Any, *groups: Sequence[int]) -> list[Any]:
    """A call for each group of chunks, all at once."""
    return [
        make(number, 0, *[chunk(CHUNKS[at], at + 1) for at in group])
        for number, group in enumerate(groups, 1)
    ]


def plan_of(calls: Sequence[PlannedCall], mode: str = "compact", **more: Any) -> Plan:
    return Plan(replace(setup_of(CHUNKS), mode=mode), tuple(calls), 10, **more)


def trace_of(calls: Sequence[CallRecord], response: str | None = "the end", **more: Any) -> Trace:
    return Trace(setup_of(CHUNKS), tuple(calls), response, **more)


def row_of(column: str, request: Request, planned: PlanRange = NO_PLAN) -> RunRow:
    """The row of a column that was not run."""
    return with_numbers(RunRow(column, 0, 0, request, planned, "", None))


def before(
    column: str, mode: str, calls: Sequence[PlannedCall] = (), low: Plan | None = None
) -> RunRow:
    """A row that is only planned, the same with short and long answers unless `low` is given."""
    high = plan_of(calls, mode)
    short = low or high
    plans = PlanRange(high, bounds_of(short, high), plan_low=lambda: short)
    return row_of(column, request_of(mode), plans)


def ran(row: RunRow, trace: Trace | None, problem: str | None = None) -> RunRow:
    job = Job(row.request, setup_of(CHUNKS)).ended(trace, problem)
    return with_numbers(row._replace(job=job))


def asking(row: RunRow, model: Model) -> RunRow:
    return with_numbers(row._replace(request=replace(row.request, model=model)))


def priced(row: RunRow, price: Price = PRICE) -> RunRow:
    """The row with a model whose list price is known."""
    return asking(row, replace(ENDPOINT, price=price))


def judged(row: RunRow, asked: Asked, thumb: bool | None = None) -> RunRow:
    """The row with what came of what is expected, and a person's thumb."""
    outcomes = () if row.trace is None else judge(row.trace, asked.expectations)
    return with_verdicts(row, asked, outcomes, Rating(thumb))


def comparison_of(rows: Sequence[RunRow], *asked: Asked) -> Comparison:
    """The comparison of these rows."""
    letters = dict.fromkeys(row.column for row in rows)
    first = {letter: next(row for row in rows if row.column == letter) for letter in letters}
    columns = [ColumnInputs(letter, DEFAULT, row.request) for letter, row in first.items()]
    return Comparison(DEFAULT, tuple(columns), asked or (Asked("why so"),), 1, rows)


def bounds_of(low: Plan, high: Plan) -> Bounds:
    """Bounds that hold no more than what both plans say."""

    def between(of: Callable[[Plan], int]) -> Range:
        return Range(*sorted((of(low), of(high))))

    return Bounds(
        between(lambda plan: plan.call_count),
        between(lambda plan: plan.prompt_tokens),
        Range(0, max(low.output_tokens, high.output_tokens)),
        between(lambda plan: plan.longest_chain),
    )


def after(
    column: str,
    mode: str,
    calls: Sequence[CallRecord],
    response: str | None = "the end",
    **more: Any,
) -> RunRow:
    trace = trace_of(calls, response, **more)
    trace = replace(trace, setup=replace(trace.setup, mode=mode))
    return ran(row_of(column, request_of(mode)), trace)


def refused(column: str, mode: str) -> RunRow:
    return row_of(column, request_of(mode), PlanRange(refused="There is no room."))


def lasting(calls: Sequence[CallRecord], *times: tuple[float, float]) -> list[CallRecord]:
    return [
        replace(call, started=started, seconds=seconds)
        for call, (started, seconds) in zip(calls, times, strict=True)
    ]


def columns_in(world: World, modes: Sequence[str], run: bool, price: Price | None) -> list[RunRow]:
    letters = zip("ABCD", modes, strict=False)
    return [column_in(world, letter, mode, run, price) for letter, mode in letters]


def column_in(world: World, column: str, mode: str, run: bool, price: Price | None) -> RunRow:
    """The row of a mode in a world, with its run if that is asked for and possible."""
    request = request_of(mode, replace(ENDPOINT, price=price))
    synthesizer = world.synthesizer(mode)
    try:
        tokens = (min(20, world.num_output), world.num_output)
        low, high = (synthesizer.plan(**world.asked, answer_tokens=some) for some in tokens)
        bounds = synthesizer.bounds(**world.asked)
    except SynthError as problem:
        return row_of(column, request, PlanRange(refused=str(problem)))
    found = row_of(column, request, PlanRange(high, bounds, plan_low=lambda: low))
    if not run:
        return found
    try:
        return ran(found, world.run(mode)[0])
    except SynthError as problem:
        return ran(found, None, str(problem))
