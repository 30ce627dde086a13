"""A synthesis of another application while it goes on, beside what synth sends there."""

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from synth.errors import SynthError
from synth.modes.registry import MODES
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.trace import Plan, Trace
from synth.traces import ImportedRun, fits
from synth.traces.settings import unused_templates
from ui.imported.opened_file import is_short


@dataclass(frozen=True)
class GoingOn:
    """The calls of a run that goes on: those that have come, and those that are likely to.

    `plan` has all of them, with the answers so far and the longest ones after. `trace` has those
    that have come, with the origins of their text, and the next one, which is computed. The
    first `equal` prompts of those that have come are ours, with the `changes`, in words.
    """

    plan: Plan
    trace: Trace
    equal: int
    changes: tuple[str, ...] = ()

    @property
    def steps(self) -> Trace | None:
        """All calls, those to come without an answer; None where a prompt so far is not ours."""
        came = {call.number: call for call in self.trace.calls}
        if sum(call.received for call in came.values()) > self.equal:
            return None
        calls = (came.get(call.number) or _computed(call) for call in self.plan.calls)
        return replace(self.trace, calls=tuple(calls))


def going_on(run: ImportedRun) -> GoingOn | None:
    """The run under the mode that is likely; None where synth makes no plan of it.

    A template that no call has used yet is taken to be as long as makes the prompts so far equal.
    """
    if run.mode not in MODES:
        return None
    found = _planned(run)
    if found is None or found.equal == len(run.calls) or not is_short(run):
        return found
    *before, last = run.calls
    so_far = replace(run, calls=(*before, replace(last, answer=None)))
    with suppress(SynthError):  # as many settings were tried as its length allows
        for fit in fits(so_far) if unused_templates(run) else ():
            fitting = _planned(replace(fit.run, calls=run.calls))
            return found if fitting is None else replace(fitting, changes=fit.changes)
    return found


def _planned(run: ImportedRun) -> GoingOn | None:
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
