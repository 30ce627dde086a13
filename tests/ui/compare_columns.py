"""Columns for the analysis: made by hand from sample calls, or planned and run in a world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from synth.bounds import Bounds, Range
from synth.calls import CallRecord, PlannedCall
from synth.errors import SynthError
from synth.models import Price
from synth.trace import Plan, Trace
from tests.invariants.world import World
from tests.ui.sample_calls import answer, chunk, chunks_of, made, planned, setup_of
from ui.compare.analysis.column_data import ColumnData
from ui.request.request import Model, Request

CHUNKS = chunks_of(10, 20, 30)
PRICE = Price(1_000.0, 10_000.0)  # $0.001 a prompt token, $0.01 an output token
ENDPOINT = Model("endpoint", "some model")


def request_of(mode: str, model: Model = ENDPOINT) -> Request:
    return Request(
        mode=mode,
        behaviour="documented",
        query="why so",
        chunks=tuple(CHUNKS),
        positions=(0, 1, 2),
        scores=(None, None, None),
        window=100,
        num_output=10,
        overlap=0.0,
        chunk_limit=None,
        padding=None,
        encoding="cl100k_base",
        filtering=False,
        templates=(),
        variables=(),
        model=model,
    )


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


def before(
    label: str, mode: str, calls: Sequence[PlannedCall] = (), low: Plan | None = None, **more: Any
) -> ColumnData:
    """A column that is only planned, the same with short and long answers unless `low` is given."""
    high = plan_of(calls, mode)
    pair = (low or high, high)
    return ColumnData(label, request_of(mode), *pair, None, bounds=bounds_of(*pair), **more)


def priced(column: ColumnData, price: Price = PRICE) -> ColumnData:
    """The column with a model whose list price is known."""
    return replace(column, request=replace(column.request, model=replace(ENDPOINT, price=price)))


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
    label: str,
    mode: str,
    calls: Sequence[CallRecord],
    response: str | None = "the end",
    **more: Any,
) -> ColumnData:
    """A column that was run."""
    trace = trace_of(calls, response, **more)
    trace = replace(trace, setup=replace(trace.setup, mode=mode))
    return ColumnData(label, request_of(mode), None, None, None, trace)


def refused(label: str, mode: str) -> ColumnData:
    return ColumnData(label, request_of(mode), None, None, "There is no room.")


def lasting(calls: Sequence[CallRecord], *times: tuple[float, float]) -> list[CallRecord]:
    """The calls with when they started and how long they took."""
    return [
        replace(call, started=started, seconds=seconds)
        for call, (started, seconds) in zip(calls, times, strict=True)
    ]


def column_in(world: World, label: str, mode: str, run: bool, price: Price | None) -> ColumnData:
    """A column of a mode in a world, with its run if that is asked for and possible."""
    request = request_of(mode, replace(ENDPOINT, price=price))
    synthesizer = world.synthesizer(mode)
    try:
        tokens = (min(20, world.num_output), world.num_output)
        low, high = (synthesizer.plan(**world.asked, answer_tokens=some) for some in tokens)
        bounds = synthesizer.bounds(**world.asked)
    except SynthError as problem:
        return ColumnData(label, request, None, None, str(problem))
    found = ColumnData(label, request, low, high, None, bounds=bounds)
    if not run:
        return found
    try:
        return replace(found, trace=world.run(mode)[0])
    except SynthError as problem:
        return replace(found, problem=str(problem))


__all__ = [
    "CHUNKS",
    "PRICE",
    "after",
    "before",
    "chain_of",
    "column_in",
    "fan_of",
    "lasting",
    "made",
    "plan_of",
    "planned",
    "refused",
    "request_of",
    "trace_of",
]
