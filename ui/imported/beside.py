"""A recorded run beside the one that synth computes: what is equal, and what follows from it.

Also a run that goes on, with what is likely to come.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, NamedTuple

from synth.errors import SynthError
from synth.modes.registry import MODES
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.trace import Plan, Trace
from synth.traces import Difference, ImportedRun, Verification, fits, trace_of
from synth.traces.settings import unused_templates
from synth.words.coverage_words import cut_off_tokens
from ui.controls.handover import TRACE, settings_of
from ui.imported.as_request import request_of, settings_beside, why_not_held
from ui.plans.plan_range import plan_range
from ui.settings import schema
from ui.settings.request import Request
from ui.settings.schema import DEFAULT

_SHORT_SEARCH = 30_000  # characters of the chunks, with which it takes about 3 seconds


def characters(run: ImportedRun) -> int:
    """The characters of its chunks."""
    return sum(map(len, run.texts))


def is_short(run: ImportedRun) -> bool:
    """Whether a search for other settings takes seconds at most."""
    return characters(run) <= _SHORT_SEARCH


class Parting(NamedTuple):
    """Where two prompts part: characters and tokens before that, and the tokens of each."""

    same: int
    tokens_before: int
    recorded: int
    ours: int


@dataclass(frozen=True)
class Beside:
    """What synth says of a run.

    `verification` is None if the trace says no mode that is known here; `why_not_held` says why
    the pages can't hold a verified run. The prompts of the trace of recorded calls know their
    chunks where the run is verified.
    """

    verification: Verification | None
    trace: Trace
    why_not_held: str | None = None
    parting: Parting | None = None


class OtherMode(NamedTuple):
    """What a mode sends: calls, prompt tokens, tokens cut off; none if it can't be planned."""

    label: str
    numbers: Sequence[int]
    problem: str = ""


def beside(run: ImportedRun) -> Beside:
    """The run compared with what synth sends."""
    if run.mode not in MODES:
        return Beside(None, run.trace())
    try:
        found = run.verify()
    except SynthError as problem:
        found = Verification(0, problem=str(problem))
    if found.equal:
        return Beside(found, trace_of(run), why_not_held(run))
    return Beside(found, run.trace(), parting=_parting(run, found.first_difference))


def _parting(run: ImportedRun, difference: Difference | None) -> Parting | None:
    if difference is None or difference.recorded is None or difference.ours is None:
        return None
    recorded, ours = difference.recorded, difference.ours
    pairs = zip(recorded, ours, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    count = run.helper.tokenizer.count
    return Parting(same, count(recorded[:same]), count(recorded), count(ours))


def other_modes(run: ImportedRun, trace: Trace) -> list[OtherMode]:
    """The recorded run, which the pages can hold, and its input in other modes, planned."""
    numbers = (trace.call_count, trace.prompt_tokens, cut_off_tokens(trace))
    rows = [OtherMode(f"{run.mode}, recorded", numbers)]
    return rows + [_planned(run, mode, trace) for mode in schema.FIRST_MODES if mode != run.mode]


def mean_answer(trace: Trace) -> int:
    """Tokens of an answer, with which the other modes are planned."""
    return round(sum(call.output_tokens for call in trace.calls) / len(trace.calls))


def _planned(run: ImportedRun, mode: str, trace: Trace) -> OtherMode:
    recorded = request_of(run)
    settings = settings_of(recorded, TRACE) | settings_beside(run, recorded) | {"mode": mode}
    request = Request.of(DEFAULT.with_(settings))
    plans = plan_range(request, mean_answer(trace))
    if plans.high is None or plans.high.problem:
        return OtherMode(mode, (), "never ends" if plans.high is not None else "can't run")
    plan = plans.high
    return OtherMode(mode, (plan.call_count, plan.prompt_tokens, cut_off_tokens(plan)))


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
    found = _likely(run)
    if found is None or found.equal == len(run.calls) or not is_short(run):
        return found
    *before, last = run.calls
    so_far = replace(run, calls=(*before, replace(last, answer=None)))
    with suppress(SynthError):  # as many settings were tried as its length allows
        for fit in fits(so_far) if unused_templates(run) else ():
            fitting = _likely(replace(fit.run, calls=run.calls))
            return found if fitting is None else replace(fitting, changes=fit.changes)
    return found


def _likely(run: ImportedRun) -> GoingOn | None:
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
