"""The next larger window that takes fewer calls, found by bisection on the totals of plans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from synth.errors import SynthError
from synth.what_if import Cliff, Planner, cliffs
from ui.request.request import Model, Request
from ui.session import workspace

_MOST_CALLS = 8  # with more, one call less is not worth naming
_REACHES = (2, 4, 8)  # times the present window


def next_window(request: Request, calls: int) -> Cliff | None:
    """The cliff above the window of a request that takes so many calls with long answers.

    None if no window up to eight times as large takes fewer, and for more than eight calls.
    """
    if not 1 < calls <= _MOST_CALLS:
        return None
    others = replace(request, window=1, model=Model())  # all windows share what was counted
    at = workspace.current().remembered("calls by window", others, lambda: _counter(request))
    for reach in _REACHES:
        if 0 < at(reach * request.window) < calls:
            [cliff] = cliffs(at, (request.window, reach * request.window))
            return cliff
    return None


def _counter(request: Request) -> Callable[[int], int]:
    """The calls by the window; 0 where there is no plan."""
    planner = Planner(request.query, request.chunks, dict(request.variables))

    @cache
    def calls(window: int) -> int:
        try:
            synthesizer = replace(request, window=window).synthesizer()
        except SynthError:
            return 0
        totals = planner.totals(synthesizer, request.num_output)
        return 0 if totals.problem else totals.calls

    return calls
