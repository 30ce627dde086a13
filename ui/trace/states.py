"""What each call of a run is doing, or how it ended."""

from __future__ import annotations

from typing import Literal

from synth.calls import CallRecord
from synth.trace import Plan, Trace

State = Literal["waiting", "running", "done", "failed", "cached"]


def state_of(call: CallRecord) -> State:
    """How a call ended."""
    if call.answer is None:
        return "failed"
    return "cached" if call.replayed else "done"


def states_of(run: Plan | Trace) -> dict[int, State] | None:
    """How each call of a run ended, by number; None where all were simply answered."""
    if isinstance(run, Plan):
        return None
    states = {call.number: state_of(call) for call in run.calls}
    return None if all(state == "done" for state in states.values()) else states
