"""A recorded run beside the one that synth computes: what is equal, and what follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from synth.errors import SynthError
from synth.modes.registry import MODES
from synth.runs.trace import Trace
from synth.traces import Difference, ImportedRun, Verification, trace_of
from synth.words.coverage_words import cut_off_tokens
from ui.controls.handover import TRACE, settings_of
from ui.imported.as_request import request_of, settings_beside, why_not_held
from ui.plans.plan_range import plan_range
from ui.settings import schema
from ui.settings.request import Request
from ui.settings.schema import DEFAULT

_SHORT_SEARCH = 30_000  # characters of the chunks, with which it takes about 3 seconds


def is_short(run: ImportedRun) -> bool:
    """Whether a search for other settings takes seconds at most."""
    return sum(map(len, run.texts)) <= _SHORT_SEARCH


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
