"""Cells of Compare: made by hand from sample calls, or planned and run in a world."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from synth.errors import SynthError
from synth.runs.bounds import Bounds, Range
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.prices import Price
from synth.runs.trace import Plan, Trace
from tests.invariants.world import World
from tests.recipes import make_request
from tests.ui.sample_calls import answer, chunk, chunks_of, setup_of
from ui.pages.compare.cells import Cell
from ui.pages.compare.judged_runs import Asked
from ui.pages.compare.run_slots import RunSlot, SlotRun
from ui.plans.plan_range import PlanRange
from ui.runs.job import Job
from ui.settings.request import Model, Request

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


def cell(column: str, request: Request, planned: PlanRange = NO_PLAN) -> Cell:
    """The cell of a column that was not run; its name is that of its mode, unless it is renamed."""
    slot = RunSlot(column)
    return Cell(slot, Asked(request.query_str), request, planned, slot, name=request.mode)


def before(
    column: str, mode: str, calls: Sequence[PlannedCall] = (), low: Plan | None = None
) -> Cell:
    """A cell that is only planned, the same with short and long answers unless `low` is given."""
    high = plan_of(calls, mode)
    pair = (low or high, high)
    return cell(column, request_of(mode), PlanRange(*pair, bounds_of(*pair)))


def ran(cell: Cell, trace: Trace | None, problem: str | None = None) -> Cell:
    job = Job(cell.present, setup_of(CHUNKS)).ended(trace, problem)
    return replace(cell, run=SlotRun(cell.present, job))


def asking(cell: Cell, request: Request) -> Cell:
    run = cell.run and cell.run._replace(request=request)
    return replace(cell, present=request, run=run, name=request.mode)


def priced(cell: Cell, price: Price = PRICE) -> Cell:
    """The cell with a model whose list price is known."""
    return asking(cell, replace(cell.present, model=replace(ENDPOINT, price=price)))


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
) -> Cell:
    trace = trace_of(calls, response, **more)
    trace = replace(trace, setup=replace(trace.setup, mode=mode))
    return ran(cell(column, request_of(mode)), trace)


def refused(column: str, mode: str) -> Cell:
    return cell(column, request_of(mode), PlanRange(refused="There is no room."))


def lasting(calls: Sequence[CallRecord], *times: tuple[float, float]) -> list[CallRecord]:
    return [
        replace(call, started=started, seconds=seconds)
        for call, (started, seconds) in zip(calls, times, strict=True)
    ]


def columns_in(world: World, modes: Sequence[str], run: bool, price: Price | None) -> list[Cell]:
    letters = zip("ABCD", modes, strict=False)
    return [column_in(world, letter, mode, run, price) for letter, mode in letters]


def column_in(world: World, column: str, mode: str, run: bool, price: Price | None) -> Cell:
    """The cell of a mode in a world, with its run if that is asked for and possible."""
    request = request_of(mode, replace(ENDPOINT, price=price))
    synthesizer = world.synthesizer(mode)
    try:
        tokens = (min(20, world.num_output), world.num_output)
        low, high = (synthesizer.plan(**world.asked, answer_tokens=some) for some in tokens)
        bounds = synthesizer.bounds(**world.asked)
    except SynthError as problem:
        return cell(column, request, PlanRange(refused=str(problem)))
    found = cell(column, request, PlanRange(low, high, bounds))
    if not run:
        return found
    try:
        return ran(found, world.run(mode)[0])
    except SynthError as problem:
        return ran(found, None, str(problem))
