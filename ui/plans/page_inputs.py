"""What a page is drawn from, made once for a draw and handed down."""

from dataclasses import dataclass, field
from typing import Self

from synth.lazy import defer
from ui.plans.plan_range import PlanRange, plan_range
from ui.settings import state
from ui.settings.request import Request
from ui.settings.schema import Settings


@dataclass(frozen=True)
class PageInputs:
    """The settings of a page, with the request and the plans that follow, made when asked for."""

    settings: Settings
    _requests: dict[str, Request] = field(default_factory=dict, repr=False, compare=False)
    _plans: dict[str, PlanRange] = field(default_factory=dict, repr=False, compare=False)

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
        if mode not in self._plans:
            self._plans[mode] = plan_range(self.request_in(mode))
        return self._plans[mode]
