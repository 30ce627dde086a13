"""At which windows the number of calls of a plan changes."""

from dataclasses import replace
from functools import partial
from typing import Any

from synth.errors import SynthError
from synth.modes.advice.what_if import Cliff, cliffs
from ui.plans.plan_range import LONG
from ui.session import workspace
from ui.settings.request import Model, Request

_MOST_WORK = LONG // 4  # above it, plans take so long that no other windows are tried
_SAMPLES, _HALVINGS, _SECONDS = 16, 60, 0.3
_FIRST = 0.18  # of the window that holds all, from which on windows are tried
_ALL = 10_000_000  # tokens: a window that holds any text


def window_cliffs(request: Request) -> tuple[Cliff, ...]:
    """Find where the calls of a request change with its window, from memory if it was done before.

    Nothing is known of one that takes long to plan, or can't be planned.
    """
    if request.work > _MOST_WORK:
        return ()
    key = replace(request, context_window=1, model=Model())
    return workspace.current().remembered("window cliffs", key, lambda: _find(request))


def _find(request: Request) -> tuple[Cliff, ...]:
    whole = _needed(request)
    if whole is None:
        return ()
    low = max(1, int(_FIRST * whole))
    grow = (whole + 1) / low
    samples = sorted({round(low * grow ** (at / (_SAMPLES - 1))) for at in range(_SAMPLES)})
    found = cliffs(partial(_calls, request), samples, _HALVINGS, _SECONDS)
    return tuple(sorted(found, key=lambda cliff: cliff.x))


def _needed(request: Request) -> int | None:
    """The tokens that the largest call needs in a window that holds any text."""
    try:
        widest = replace(request, context_window=_ALL).synthesizer()
        if not widest.plannable:
            return None
        values: dict[str, Any] = dict(request.variables)
        plan = widest.plan(request.query_str, request.text_chunks, **values)
    except SynthError:
        return None
    return max((call.prompt_tokens + request.num_output for call in plan.calls), default=None)


def _calls(request: Request, window: int) -> int:
    """The calls in a window; 0 where nothing can be planned."""
    try:
        narrower = replace(request, context_window=window).synthesizer()
        values: dict[str, Any] = dict(request.variables)
        plan = narrower.plan(request.query_str, request.text_chunks, **values)
    except SynthError:
        return 0
    return plan.call_count
