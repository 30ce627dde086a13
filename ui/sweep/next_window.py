"""The next larger round window that takes fewer calls, found by bisection on totals of plans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import ceil

from synth.errors import SynthError
from synth.modes.advice.what_if import Cliff, Planner, cliffs
from synth.runs.trace import Plan
from ui.request.request import Model, Request
from ui.session import workspace
from ui.session.apart import TookTooMuch, apart_if_long

_ROUND = 64  # tokens; the exact place would take twice as many plans, after each edit
_MOST_CALLS = 8  # with more, one call less is not worth naming
_REACHES = (2, 4, 8)  # times the present window


def next_window(request: Request, plan: Plan) -> Cliff | None:
    """The least multiple of 64 above the window that takes fewer calls, with long answers.

    `plan` is that of the request. None if no window up to eight times as large takes fewer calls,
    for a plan that stops early, and for one of more than eight calls.
    """
    calls = plan.call_count
    if plan.problem or not 1 < calls <= _MOST_CALLS:
        return None
    return workspace.current().remembered(
        "next window", (request, calls), lambda: _in_time(request, calls)
    )


def _in_time(request: Request, calls: int) -> Cliff | None:
    try:
        return apart_if_long(request.work, _next, request, calls)
    except TookTooMuch:
        return None  # What if, which the page names beside it, says how long it takes


def _next(request: Request, calls: int) -> Cliff | None:
    others = replace(request, context_window=1, model=Model())  # all windows share what was counted
    at = workspace.current().remembered("calls by window", others, lambda: _counter(request))
    present = request.context_window // _ROUND

    def calls_at(multiple: int) -> int:
        return calls if multiple == present else at(_ROUND * multiple)

    # What the calls share has room in one call less, if each of these has that much more.
    one_less = calls / (calls - 1)
    low = present
    for reach in (one_less, *_REACHES):
        most = ceil(reach * request.context_window / _ROUND)
        if 0 < (found := calls_at(most)) < calls:
            [cliff] = cliffs(calls_at, (low, most))
            return replace(cliff, x=_ROUND * cliff.x)
        low = most if found == calls else low
    return None


def _counter(request: Request) -> Callable[[int], int]:
    """The calls by the window; 0 where there is no plan."""
    planner = Planner(request.query_str, request.text_chunks, dict(request.variables))

    @cache
    def calls(window: int) -> int:
        try:
            synthesizer = replace(request, context_window=window).synthesizer()
        except SynthError:
            return 0
        totals = planner.totals(synthesizer, request.num_output)
        return 0 if totals.problem else totals.calls

    return calls
