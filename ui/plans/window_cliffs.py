"""At which windows the number of calls of a plan changes."""

from dataclasses import replace
from functools import cache
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
_MOST, _SECONDS = 3, 0.05  # changes that are looked for, and the processor's time for it
_MOST_CALLS = 5 * MOST_NAMED  # of a plan, above which it is not made to its end
_FIRST = 0.18  # of the window that holds all, from which on windows are tried
_WIDER = 1.1
_ALL = 10_000_000  # tokens: a window that holds any text


def window_cliffs(request: Request) -> tuple[Cliff, ...]:
    """Find where the calls of a request change with its window, from memory if it was done before.

    The last changes are found, those before only where there is time, and few calls. Where their
    number never changes it is the window from which on nothing is cut off. Nothing is known of a
    request that takes long to plan, can't be planned, or whose tokens a server counts.
    """
    if request.work > _MOST_WORK or get_tokenizer(request.tokenizer).asks:
        return ()
    key = replace(request, context_window=1, model=Model())
    return workspace.current().remember("window cliffs", key, lambda: _find(request))


def _find(request: Request) -> tuple[Cliff, ...]:
    """The changes in their order; between two of them, the number falls with the window."""

    widest = _plan(request, _ALL)
    if widest is None or not widest.calls:
        return ()
    most = max(_MOST_CALLS, 2 * widest.call_count)

    @cache
    def calls(window: int) -> int:
        plan = _plan(request, window, most)
        return 0 if plan is None else plan.call_count

    right = max(call.prompt_tokens for call in widest.calls) + request.num_output
    while calls(right) != widest.call_count:  # a little more than its largest call needs
        right = ceil(right * _WIDER)
    low, end = max(1, int(_FIRST * right)), thread_time() + _SECONDS
    cliffs: list[Cliff] = []
    while low < right and len(cliffs) < _MOST and (not cliffs or calls(right) <= MOST_NAMED):
        # The last change is mostly where the largest call just fits.
        near = not cliffs and calls(right - 1) != calls(right)
        above, below = right, right - 1 if near else low
        if calls(below) == calls(right):
            break
        while above - below > 1 and thread_time() < end:
            middle = (above + below) // 2
            above, below = (middle, below) if calls(middle) == calls(right) else (above, middle)
        if above - below > 1:
            break
        cliffs.append(Cliff(above, calls(below), calls(above)))
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
