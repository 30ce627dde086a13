"""The plans of a request with short and with long answers, and what a page is drawn from."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, Self

from synth.errors import SynthError
from synth.lazy import defer
from synth.llms.model_prices import model_facts
from synth.runs.bounds import Bounds
from synth.runs.trace import Plan
from ui.session import workspace
from ui.settings import model, state
from ui.settings.request import Request, token_counts
from ui.settings.schema import DEFAULT, Settings

SHORT = 20
"""Tokens of an answer that a plan takes as short."""
LONG = 100_000
"""Above so much work, as `Request.work` says it, plans take so long that edits overtake them."""
_MOST_CALLS = 4
_WINDOWS = [1_024 * 2**power for power in range(11)]


class Plans(NamedTuple):
    """The plans with short and with long answers, and the bounds of every run."""

    low: Plan
    high: Plan
    bounds: Bounds


@dataclass(frozen=True)
class PlanRange:
    """The plans of a run with short answers and with answers of num_output tokens.

    `bounds` hold for all answers of 0 to num_output tokens. `refused` is the reason why the
    request has no plan. The plan with short answers is made when it is asked for: mostly its calls
    are those of the other one.
    """

    high: Plan | None = None
    bounds: Bounds | None = None
    refused: str | None = None
    plan_low: Callable[[], Plan] | None = field(default=None, repr=False, compare=False)

    @defer
    def low(self) -> Plan | None:
        """Plan with short answers; None where the request has no plan."""
        return None if self.plan_low is None else self.plan_low()

    @property
    def plans(self) -> Plans | None:
        """Both plans with their bounds; None where the request has none."""
        if self.low is None or self.high is None or self.bounds is None:
            return None
        return Plans(self.low, self.high, self.bounds)

    @property
    def calls(self) -> tuple[int, int] | None:
        """Return how many calls answers of the two lengths make, the fewest first; None if none."""
        if self.high is None or self.bounds is None:
            return None
        count = self.high.call_count
        if self.bounds.calls == (count, count) or self.low is None:
            return count, count
        return min(count, self.low.call_count), max(count, self.low.call_count)


def answer_lengths(request: Request) -> tuple[int, int]:
    """Return the tokens of a short answer and of the longest, for the two plans of a request."""
    return min(SHORT, request.num_output), request.num_output


def plan_range(request: Request) -> PlanRange:
    """Make or remember the plans of a request."""
    return workspace.current().remember("plan range", request, lambda: _planned(request))


def _planned(request: Request) -> PlanRange:
    if request.work > LONG:
        workspace.give_way()
    try:
        synthesizer = request.synthesizer()
        if not synthesizer.plannable:
            return PlanRange()
        values: dict[str, Any] = dict(request.variables)
        texts = request.query_str, request.text_chunks
        least, most = answer_lengths(request)
        high = synthesizer.plan(*texts, most, **values)
        bounds = synthesizer.bounds(*texts, **values)
        if high.exact and bounds.calls == (high.call_count, high.call_count):
            return PlanRange(high, bounds, plan_low=partial(high.assume, least, 0))

        def plan_low() -> Plan:
            return synthesizer.plan(*texts, least, **values).assume(reasoning_tokens=0)

        return PlanRange(high, bounds, plan_low=plan_low)
    except SynthError as error:
        return PlanRange(refused=str(error))


def fitting_window(settings: Settings) -> int | None:
    """Return the model's window, or the smallest in which compact, the usual mode, makes few calls.

    It is None where none is wide enough, since another limit is in the way.
    """
    is_named = settings.model_kind.needs_address  # else what is known is of another model's price
    name = model.name(settings) if is_named else model.pricing(settings).like
    if name and (known := model_facts(name).context_window) is not None:
        return known
    tokens = sum(token_counts(settings.chunks, model.tokenizer(settings), settings.count_factor))
    request = Request.of(settings.with_({"mode": DEFAULT.mode}))
    for window in _WINDOWS:
        if _MOST_CALLS * window > tokens:
            bounds = plan_range(replace(request, context_window=window)).bounds
            if bounds is not None and bounds.calls.high <= _MOST_CALLS:
                return window
    return None


@dataclass(frozen=True)
class PageInputs:
    """The settings of a page, with the request and the plans that follow, made when asked for."""

    settings: Settings
    _requests: dict[str, Request] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def read(cls) -> Self:
        """Read the settings of this tab's workspace."""
        return cls(state.current())

    @defer
    def request(self) -> Request:
        """Make the request of the settings."""
        return Request.of(self.settings)

    @property
    def plans(self) -> PlanRange:
        """Return the plans of the request."""
        return self.plans_in(self.settings.mode)

    @property
    def can_run(self) -> bool:
        """Return whether a run can start: nothing refuses the request, and it has its question."""
        return self.plans.refused is None and not self.request.lacks_question

    def request_in(self, mode: str) -> Request:
        """Return the request that the settings make in a mode, theirs or another."""
        if mode == self.settings.mode:
            return self.request
        if mode not in self._requests:
            self._requests[mode] = self.request.in_mode(mode, self.settings)
        return self._requests[mode]

    def plans_in(self, mode: str) -> PlanRange:
        """Return the plans of the request in a mode."""
        return plan_range(self.request_in(mode))
