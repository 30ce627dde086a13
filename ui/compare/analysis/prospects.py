"""The columns of a comparison as the adviser takes them, and why some can't be advised."""

from __future__ import annotations

from collections.abc import Sequence

from synth.bounds import Bounds, Range
from synth.choice import Prospect, Prospects
from synth.trace import Trace
from ui.compare.analysis.column_data import ColumnData, names
from ui.plan.cost import crossing
from ui.settings.model import CapLimits


def prospects_of(columns: Sequence[ColumnData], cap: CapLimits) -> tuple[Prospects, dict[str, str]]:
    """What the columns made or would make, by name, and by name why a column is left out.

    A run that has its answer takes the place of the column's plans. A plan that is certain to
    cross the cap of a run is left out.
    """
    prospects: dict[str, Prospect] = {}
    left_out: dict[str, str] = {}
    for name, column in zip(names(columns), columns, strict=True):
        if column.trace is not None and column.trace.response is not None:
            trace = column.trace
            prospects[name] = Prospect(trace, trace, _made(trace), column.price)
        elif column.refused is not None:
            left_out[name] = "would be refused"
        elif column.plans is None:
            planned = column.high is not None
            left_out[name] = "would stop before the end" if planned else "can't be planned"
        elif crossing(_least(column.plans.bounds), cap, column.price):
            left_out[name] = "would cross the cap of a run"
        else:
            prospects[name] = Prospect(*column.plans, column.price)
    return prospects, left_out


def _made(trace: Trace) -> Bounds:
    """What a run made, which is certain."""
    made = (trace.call_count, trace.prompt_tokens, trace.output_tokens, trace.longest_chain)
    return Bounds(*(Range(number, number) for number in made))


def _least(bounds: Bounds) -> Bounds:
    """The least that a run makes, as bounds."""
    ranges = (bounds.calls, bounds.prompt_tokens, bounds.output_tokens, bounds.longest_chain)
    return Bounds(*(Range(one.low, one.low) for one in ranges))
