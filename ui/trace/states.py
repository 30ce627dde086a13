"""The state of each call of a run."""

from __future__ import annotations

from typing import Literal

from synth.calls import CallRecord
from synth.trace import Plan, Trace

State = Literal["waiting", "running", "done", "failed", "cached"]


def state_of(call: CallRecord) -> State:
    """The state of a call that has ended."""
    if call.answer is None:
        return "failed"
    return "cached" if call.replayed else "done"


def states_of(run: Plan | Trace) -> dict[int, State] | None:
    """The state of each call by its number; None for a plan, or if all are "done"."""
    if isinstance(run, Plan):
        return None
    states = {call.number: state_of(call) for call in run.calls}
    return None if all(state == "done" for state in states.values()) else states
