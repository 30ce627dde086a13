"""The plans of a request with short and with long answers, each made once."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from synth.errors import SynthError, TemplateError
from synth.modes.advice.choice import short_and_long
from synth.runs.bounds import Bounds
from synth.runs.trace import Plan
from ui.session import workspace
from ui.settings.request import Request

LONG = 100_000
"""Above so much work, as `Request.work` says it, plans take so long that edits overtake them."""


class Plans(NamedTuple):
    """The plans with short and with long answers, and the bounds of every run."""

    low: Plan
    high: Plan
    bounds: Bounds


@dataclass(frozen=True)
class PlanRange:
    """The plans of a run with short answers and with answers of num_output tokens.

    `bounds` hold for all answers of 0 to num_output tokens. `refused` is the reason why the
    request has no plan; `by_template` is true where a template is that reason.
    """

    low: Plan | None = None
    high: Plan | None = None
    bounds: Bounds | None = None
    refused: str | None = None
    by_template: bool = False

    @property
    def plans(self) -> Plans | None:
        """Both plans with their bounds; None where the request has none."""
        if self.low is None or self.high is None or self.bounds is None:
            return None
        return Plans(self.low, self.high, self.bounds)


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
        return PlanRange(
            *short_and_long(
                synthesizer, request.query_str, request.text_chunks, request.answers, values
            )
        )
    except SynthError as error:
        return PlanRange(refused=str(error), by_template=isinstance(error, TemplateError))
