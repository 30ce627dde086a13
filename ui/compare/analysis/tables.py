"""The tables of a comparison: the plans of all modes, and the answers to a list of questions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd

from synth.bounds import Bounds, Range
from synth.response_synthesizers.registry import mode_facts
from synth.trace import Plan
from synth.wording import ranged
from ui.compare.analysis.column_data import ColumnData, CompletePlans, names
from ui.compare.analysis.text_sent import repeated_tokens
from ui.text.cut_off import cut_off_tokens, sends_chunks

_WITHOUT_CALLS = {
    "chunks": "no answer: the chunks joined",
    "nothing": "no answer: the chunks alone",
}


def modes_frame(columns: Sequence[ColumnData]) -> pd.DataFrame:
    """One row per mode; a number is missing where there is no plan or no upper bound.

    Calls, chain and tokens are the bounds for every answer, and their headings say so where an
    answer could change one; "Cut off" and "Sent twice" hold for long answers. A mode that sends
    no chunks by design cuts none off, and has no number there. The cost, in US dollars, has a
    column if any price is known.
    """
    frame = pd.DataFrame({"Mode": pd.Series(names(columns), dtype=object)})
    plans = [column.plans for column in columns if column.plans]
    for heading, of in _BOUNDED.items():
        exact = all(of(pair.bounds).exact for pair in plans)
        name = heading if exact else f"{heading}, at most"
        frame[name] = _numbers(columns, partial(_most, of))
    if any(column.price for column in columns):
        frame["Cost, at most"] = pd.Series(map(_most_cost, columns), dtype="Float64")
    frame.insert(2, "Cut off", _numbers(columns, _cut_off))  # in sight on narrow pages too
    frame["Sent twice"] = _numbers(columns, lambda plans: repeated_tokens(plans.high))
    frame["Gives"] = pd.Series([_result(column) for column in columns], dtype=object)
    return frame


_BOUNDED: Mapping[str, Callable[[Bounds], Range]] = {
    "Calls": lambda bounds: bounds.calls,
    "Longest chain": lambda bounds: bounds.longest_chain,
    "Prompt tokens": lambda bounds: bounds.prompt_tokens,
    "Output": lambda bounds: bounds.output_tokens,
}


def _most(of: Callable[[Bounds], Range], plans: CompletePlans) -> float:
    return of(plans.bounds).high


def _cut_off(plans: CompletePlans) -> float:
    return cut_off_tokens(plans.high) if sends_chunks(plans.high) else math.inf


def _numbers(columns: Sequence[ColumnData], number: Callable[[CompletePlans], float]) -> pd.Series:
    values = [number(column.plans) if column.plans else math.inf for column in columns]
    return pd.Series([None if value == math.inf else int(value) for value in values], dtype="Int64")


def _most_cost(column: ColumnData) -> float | None:
    if column.plans is None:
        return None
    most = column.most_cost(column.plans.bounds)
    return None if most == math.inf else most


def _result(column: ColumnData) -> str:
    """The kind of result that a mode gives, read from the shape of its plans."""
    if column.refused is not None:
        return "nothing: it is refused"
    if column.plans is None:
        return "not planned" if column.high is None else "no answer: it stops early"
    return _planned_result(column.plans.low, column.plans.high)


def _planned_result(low: Plan, high: Plan) -> str:
    calls = high.call_count
    if not calls:
        source = mode_facts(high.setup.mode).response_source
        return _WITHOUT_CALLS.get(source, "no answer: there is nothing to send")
    if calls == 1:
        reads_chunks = any(origin.kind == "chunk" for origin in high.calls[0].origins)
        return "one answer" if reads_chunks else "one answer without the chunks"
    if high.longest_chain == 1:
        return f"{calls:,} answers{', one per chunk' if _one_per_chunk(high) else ''}"
    if (low.longest_chain, high.longest_chain) == (low.call_count, calls):
        return f"one answer, rewritten {_times(low.call_count - 1, calls - 1)}"
    return f"one answer from {ranged(_answers_in_last(low), _answers_in_last(high))} answers"


def _one_per_chunk(plan: Plan) -> bool:
    chunks = [{o.number for o in call.origins if o.kind == "chunk"} for call in plan.calls]
    return chunks == [{number} for number in range(1, len(plan.setup.chunks) + 1)]


def _answers_in_last(plan: Plan) -> int:
    """The number of answers that the last call carries."""
    return len({o.number for o in plan.calls[-1].origins if o.kind == "answer"})


def _times(least: int, most: int) -> str:
    if least == most and most in (1, 2):
        return {1: "once", 2: "twice"}[most]
    return f"{ranged(least, most)} times"


def grid_frame(questions: Sequence[str], columns: Sequence[Sequence[ColumnData]]) -> pd.DataFrame:
    """One row per question, one column for each of `columns`, which is in order of questions."""
    frame = pd.DataFrame({"Question": pd.Series(questions, dtype=object)})
    for column in columns:
        if column:
            outcomes = [outcome(data) for data in column]
            frame[column[0].label] = pd.Series(outcomes, dtype=object)
    return frame


def outcome(column: ColumnData) -> str:
    """The answer, or in a few words the reason why there is none."""
    if column.refused is not None:
        return f"refused: {column.refused}"
    if column.problem is not None:
        return f"failed: {column.problem}"
    if column.trace is None:
        return "not yet"
    if column.trace.response is not None:
        return column.trace.response
    return "stopped" if column.trace.stopped else f"failed: {column.trace.error}"
