"""The context window that suits chunks which come with none."""

from dataclasses import replace

from synth.llms.model_prices import model_facts
from ui.plans.plan_range import plan_range
from ui.settings import model
from ui.settings.request import Request, token_counts
from ui.settings.schema import DEFAULT, Settings

_MOST_CALLS = 4
_WINDOWS = [1_024 * 2**power for power in range(11)]


def fitting_window(settings: Settings) -> int | None:
    """Return the model's window, or the smallest in which compact, the usual mode, makes few calls.

    It is None where none is wide enough, since another limit is in the way.
    """
    if (known := _known_window(settings)) is not None:
        return known
    tokens = sum(token_counts(settings.chunks, model.tokenizer(settings), settings.count_factor))
    request = Request.of(settings.with_({"mode": DEFAULT.mode}))
    for window in _WINDOWS:
        if _MOST_CALLS * window > tokens:
            bounds = plan_range(replace(request, context_window=window)).bounds
            if bounds is not None and bounds.calls.high <= _MOST_CALLS:
                return window
    return None


def _known_window(settings: Settings) -> int | None:
    """What is known of the model's name, or of that whose price it has."""
    is_named = settings.model_kind.needs_address
    name = model.name(settings) if is_named else model.pricing(settings).like
    return model_facts(name).context_window if name else None
