"""At which windows the number of calls of a plan changes."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from time import thread_time
from typing import Any

from synth.errors import SynthError
from synth.modes.advice.what_if import Cliff
from synth.modes.base import PLANNED_CALLS
from synth.pictures.rail import MOST_NAMED
from synth.runs.trace import Plan
from synth.text.tokens import get_tokenizer
from ui.plans.plan_range import LONG
from ui.session import workspace
from ui.settings.request import Model, Request

_MOST_WORK = LONG // 4  # above it, plans take so long that no other windows are tried
_MOST = 3  # changes that are looked for
_SECONDS, _EXACT_SECONDS = 0.01, 0.2  # of the processor for it, where they are near or exact
_MOST_CALLS = 5 * MOST_NAMED  # of a plan, above which it is not made to its end
_FIRST = 0.18  # of the window that holds all, from which on windows are tried
_WIDER = 1.1
_SEEN = 200  # parts of an axis, which no eye tells apart
_ALL = 10_000_000  # tokens: a window that holds any text


def window_cliffs(request: Request, exact: bool = False) -> tuple[Cliff, ...]:
    """Find where the calls of a request change with its window, from memory if it was done before.

    The last change is exact, those before it as near as can be seen on an axis, or `exact` too;
    they are found only where there is time, and few calls. Where their number never changes it is
    the window from which on nothing is cut off. Nothing is known of a request that takes long to
    plan, can't be planned, or whose tokens a server counts.
    """
    if request.work > _MOST_WORK or get_tokenizer(request.tokenizer).asks:
        return ()
    key = replace(request, context_window=1, model=Model()), exact
    space, none = workspace.current(), tuple[Cliff, ...]()
    earlier = space.latest("window cliffs", none)
    return space.remember("window cliffs", key, lambda: _find(request, exact, earlier))


def _find(request: Request, exact: bool, earlier: Sequence[Cliff]) -> tuple[Cliff, ...]:
    """The changes in their order, between two of which the number falls with the window.

    Most edits move them little, so that they are looked for where they were `earlier`.
    """

    widest = _plan(request, _ALL)
    if widest is None or not widest.calls:
        return ()
    most = max(_MOST_CALLS, 2 * widest.call_count)
    planned: dict[int, int] = {}

    def calls(window: int) -> int:
        if window not in planned:
            plan = _plan(request, window, most)
            planned[window] = 0 if plan is None else plan.call_count
        return planned[window]

    right = max(call.prompt_tokens for call in widest.calls) + widest.setup.most_output
    while calls(right) != widest.call_count:  # a little more than its largest call needs
        right = ceil(right * _WIDER)
    end = thread_time() + (_EXACT_SECONDS if exact else _SECONDS)
    calls(max(1, int(_FIRST * right)))
    if calls(right - 1) != calls(right):  # mostly the last change is where the largest call fits
        cliffs = [Cliff(right, calls(right - 1), calls(right))]
        right -= 1
    else:
        cliffs = []
    near = 1 if exact else max(1, right // _SEEN)
    for cliff in earlier:
        if cliff.x < right:
            calls(cliff.x)
            calls(max(1, cliff.x - near))
    while len(cliffs) < _MOST and (not cliffs or calls(right) <= MOST_NAMED):
        count = calls(right)
        below = max((one for one in planned if one < right and planned[one] != count), default=0)
        above = min(one for one in planned if below < one <= right and planned[one] == count)
        while below and above - below > (near if cliffs else 1) and thread_time() < end:
            middle = (above + below) // 2
            above, below = (middle, below) if calls(middle) == count else (above, middle)
        if not below or above - below > (near if cliffs else 1):
            break
        cliffs.append(Cliff(above, calls(below), count))
        right = below
    narrower = None if cliffs else _plan(request, right - 1)
    if narrower is not None and narrower.lost_tokens:
        return (Cliff(right, widest.call_count, widest.call_count),)
    return tuple(reversed(cliffs))


def _plan(request: Request, window: int, most_calls: int = PLANNED_CALLS) -> Plan | None:
    """The plan in a window; None where there is none, or one with more calls."""
    try:
        synthesizer = replace(request, context_window=window).synthesizer()
        if not synthesizer.plannable:
            return None
        values: dict[str, Any] = dict(request.variables)
        plan = synthesizer.plan(
            request.query_str, request.text_chunks, max_calls=most_calls, **values
        )
    except SynthError:
        return None
    return plan if plan.problem is None else None
