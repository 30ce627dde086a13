"""The measures of a comparison: a row each, a value a column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synth.bounds import Bounds, Range
from synth.trace import Plan, Trace
from ui.compare.analysis.entry import Entry, any_ended
from ui.compare.analysis.text_sent import lost_tokens, repeated_tokens
from ui.trace.timeline import timeline_facts

Run = Plan | Trace
LOST = "tokens lost"
"""The name of the measure of what is never sent, which has a sign of its own."""


@dataclass(frozen=True)
class Row:
    """One measure of all columns: as it is read, as numbers (None where a word stands instead).

    `equal`: there are several columns and all of them have the same value. `estimated`: the
    value is a range, or the most that it can be.
    """

    name: str
    values: tuple[str, ...]
    amounts: tuple[float | None, ...]
    equal: bool
    estimated: tuple[bool, ...]


class _Cell(NamedTuple):
    text: str
    amount: float | None = None
    estimated: bool = False


class _Measure(NamedTuple):
    """`of` gives the amount in a plan or a run, `text` how it is read.

    `bound`: only the most that it can be is said before a run. `certain` gives what holds for
    every answer. `missing` stands where the amount is None.
    """

    name: str
    of: Callable[[Entry, Run], float | None]
    text: Callable[[float], str] = "{:,}".format
    bound: bool = False
    missing: str = ""
    certain: Callable[[Bounds], Range] | None = None


def rows(entries: Sequence[Entry]) -> tuple[Row, ...]:
    """All measures, of the plans as long as no run has ended, then of the runs.

    Dollars are left out if no price is known; seconds are those of runs alone.
    """
    made = any_ended(entries)
    cell = _made if made else _planned
    left_out = () if made else _TIMES
    if not any(entry.price for entry in entries):
        left_out = (*left_out, _COST)
    shown = [measure for measure in _MEASURES if measure not in left_out]
    return tuple(_row(measure, [cell(entry, measure) for entry in entries]) for measure in shown)


def _row(measure: _Measure, cells: Sequence[_Cell]) -> Row:
    texts, amounts, estimated = zip(*cells, strict=True) if cells else ((), (), ())
    equal = len(cells) > 1 and len(set(cells)) == 1 and amounts[0] is not None
    return Row(measure.name, texts, amounts, equal, estimated)


def _planned(entry: Entry, measure: _Measure) -> _Cell:
    if entry.refused is not None:
        return _Cell("refused")
    if entry.plans is None:
        return _Cell("not planned" if entry.high is None else "stops early")
    found = [measure.of(entry, plan) for plan in (entry.plans.low, entry.plans.high)]
    amounts = sorted(amount for amount in found if amount is not None)
    if not amounts:
        return _Cell(measure.missing)
    least, most = amounts[0], amounts[-1]
    if measure.bound:
        return _Cell(f"{'≤ ' if most else ''}{measure.text(most)}", most, bool(most))
    sure = measure.certain is None or measure.certain(entry.plans.bounds) == (least, most)
    about = "" if sure else "~"
    if least == most:
        return _Cell(f"{about}{measure.text(most)}", most, not sure)
    return _Cell(f"{about}{measure.text(least)}–{measure.text(most)}", most, True)


def _made(entry: Entry, measure: _Measure) -> _Cell:
    if entry.trace is None:
        return _Cell("refused" if entry.refused else "failed" if entry.problem else "not yet")
    amount = measure.of(entry, entry.trace)
    return _Cell(measure.missing) if amount is None else _Cell(measure.text(amount), amount)


def _seconds(run: Run) -> float | None:
    """How long a run took, if all of its calls were sent in it."""
    return run.seconds if isinstance(run, Trace) and not _cached(run) else None


def _critical_path(run: Run) -> float | None:
    """How long it takes if all calls of a batch are answered at once."""
    known = isinstance(run, Trace) and not _cached(run)
    return timeline_facts(run).parallel if isinstance(run, Trace) and known else None


def _cached(trace: Trace) -> bool:
    return any(call.replayed for call in trace.calls)


def _dollars(amount: float) -> str:
    """Shorter than in a sentence: it stands beside a bar."""
    return f"${amount:,.4f}" if amount >= 0.0001 or not amount else "$0.0001"


def _time(seconds: float) -> str:
    return f"{seconds:,.1f}" if seconds >= 1 else f"{seconds:.3f}"


_TIMES = (
    _Measure("seconds", lambda _, run: _seconds(run), _time, missing="cached"),
    _Measure("critical path", lambda _, run: _critical_path(run), _time, missing="cached"),
)
_COST = _Measure("dollars", Entry.cost, _dollars, bound=True, missing="unknown")
_MEASURES = (
    _Measure("calls", lambda _, run: run.call_count, certain=lambda bounds: bounds.calls),
    _Measure(
        "prompt tokens",
        lambda _, run: run.prompt_tokens,
        certain=lambda bounds: bounds.prompt_tokens,
    ),
    _Measure("output tokens", lambda _, run: run.output_tokens, bound=True),
    _COST,
    *_TIMES,
    _Measure(
        "longest chain",
        lambda _, run: run.longest_chain,
        certain=lambda bounds: bounds.longest_chain,
    ),
    _Measure(LOST, lambda _, run: lost_tokens(run)),
    _Measure("sent twice", lambda _, run: repeated_tokens(run)),
)
