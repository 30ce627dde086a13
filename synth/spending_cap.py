"""What a run has spent and has set aside for calls under way, held against its cap."""

from __future__ import annotations

import threading

from synth.calls import CallRecord
from synth.errors import CapReached
from synth.events import Cap
from synth.wording import told_apart


class CapMeter:
    """The spending of one run; several threads may reserve and settle calls."""

    def __init__(self, cap: Cap, num_output: int) -> None:
        self._cap = cap
        self._num_output = num_output
        self._lock = threading.Lock()
        self._calls, self._prompts, self._outputs = cap.spent

    def reserve(self, record: CallRecord) -> None:
        """Set aside the most that a call can cost; CapReached if that could cross the cap."""
        self._reserve(record, self._num_output, "sent")

    def reserve_again(self, record: CallRecord) -> None:
        """The same for the call's next request; its answer is set aside already."""
        self._reserve(record, 0, "sent again")

    def _reserve(self, record: CallRecord, num_output: int, sent: str) -> None:
        cap, missing = self._cap, f"call {record.number} was not {sent}"
        with self._lock:
            prompts = self._prompts + record.prompt_tokens
            outputs = self._outputs + num_output
            self._require("calls", cap.calls, self._calls + 1, missing)
            self._require("tokens", cap.tokens, prompts + outputs, missing)
            if cap.price is not None:
                self._require("dollars", cap.dollars, cap.price.of(prompts, outputs), missing)
            self._calls, self._prompts, self._outputs = self._calls + 1, prompts, outputs

    @staticmethod
    def _require(what: str, cap: float | None, wanted: float, missing: str) -> None:
        if cap is None or wanted <= cap:
            return
        if what == "dollars":
            amount, most = told_apart(cap, wanted)
        else:
            amount, most = f"{cap:,} {what}", f"{wanted:,}"
        raise CapReached(
            f"The cap of {amount} is reached: {missing}, since it could bring the run to {most}."
            " Raise the cap, and go on from here."
        )

    def settle(self, record: CallRecord) -> None:
        """Replace what was set aside for a call by what it really cost."""
        with self._lock:
            self._prompts += record.spent.prompt_tokens - record.tries * record.prompt_tokens
            self._outputs += record.spent.output_tokens - self._num_output
