"""What a run has spent and what is on its way, held against its cap."""

from __future__ import annotations

import threading

from synth.calls import CallRecord
from synth.errors import CapReached
from synth.events import Cap
from synth.wording import dollars


class Account:
    """Spending of one run; calls may be reserved and settled from several threads."""

    def __init__(self, cap: Cap, num_output: int) -> None:
        self._cap = cap
        self._num_output = num_output
        self._lock = threading.Lock()
        self._calls, self._prompts, self._outputs = cap.spent

    def reserve(self, record: CallRecord) -> None:
        """Set the worst case of a call aside; CapReached where that could cross the cap."""
        cap, number = self._cap, record.number
        with self._lock:
            prompts = self._prompts + record.prompt_tokens
            outputs = self._outputs + self._num_output
            self._require("calls", cap.calls, self._calls + 1, number)
            self._require("tokens", cap.tokens, prompts + outputs, number)
            if cap.price is not None:
                self._require("dollars", cap.dollars, cap.price.of(prompts, outputs), number)
            self._calls, self._prompts, self._outputs = self._calls + 1, prompts, outputs

    @staticmethod
    def _require(what: str, cap: float | None, wanted: float, number: int) -> None:
        if cap is None or wanted <= cap:
            return
        amount = dollars(cap) if what == "dollars" else f"{cap:,} {what}"
        most = dollars(wanted) if what == "dollars" else f"{wanted:,}"
        raise CapReached(
            f"The cap of {amount} is reached: call {number} was not sent, since it could bring"
            f" the run to {most}. Raise the cap, and go on from here."
        )

    def settle(self, record: CallRecord) -> None:
        """Put what a call really cost in the place of its worst case."""
        with self._lock:
            self._outputs += record.output_tokens - self._num_output
