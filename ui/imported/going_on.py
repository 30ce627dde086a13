"""A synthesis of another application while it goes on, beside what our engine sends there."""

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from synth.errors import SynthError
from synth.modes.registry import MODES
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.trace import Plan, Trace
from synth.traces import ImportedRun


@dataclass(frozen=True)
class GoingOn:
    """The calls of a run that goes on: those that have come, and those that are likely to.

    `plan` has all of them, with the answers so far and the longest ones after. `trace` has those
    that have come, with the origins of their text, and the next one, which is computed. The
    first `equal` prompts of those that have come are ours.
    """

    plan: Plan
    trace: Trace
    equal: int

    @property
    def answered(self) -> int:
        """How many calls have come, each with its answer."""
        return sum(call.answer is not None for call in self.trace.calls)


def going_on(run: ImportedRun) -> GoingOn | None:
    """The run under the mode that is likely; None where our engine makes no plan of it."""
    if run.mode not in MODES:
        return None
    log, values = run.trace().log(), dict[str, Any](run.variables)
    try:
        plan = run.synthesizer().plan(run.query, run.texts, log=log, **values)
    except SynthError:
        return None
    ours = {call.number: call for call in plan.calls}
    begun = [_placed(call, ours.pop(call.number, None)) for call in run.calls]
    computed = [_computed(call) for call in list(ours.values())[:1]]
    return GoingOn(plan, Trace(plan.setup, (*begun, *computed)), _equal(run, plan))


def _equal(run: ImportedRun, plan: Plan) -> int:
    """How many of the recorded prompts, from the first on, the plan has."""
    pairs = zip(run.calls, plan.calls, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].prompt.text == pair[1].prompt.text, pairs))


def _placed(call: CallRecord, own: PlannedCall | None) -> CallRecord:
    if own is None or own.prompt.text != call.prompt.text:
        return call
    return replace(call, prompt=own.prompt, depth=own.depth, padding=own.padding)


def _computed(call: PlannedCall) -> CallRecord:
    return CallRecord(
        number=call.number,
        depth=call.depth,
        template=call.template,
        prompt=call.prompt,
        padding=call.padding,
        notes=call.notes,
        prompt_tokens=call.prompt_tokens,
    )
