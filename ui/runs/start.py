"""The start of a run, its resumption, and its branches from edited answers."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

import streamlit as st

from synth import llms
from synth.errors import CapReached, SynthError
from synth.llms.on_this_machine import model_on_this_machine
from synth.modes.base import PLANNED_CALLS, BaseSynthesizer
from synth.runs.cache import AnswerCache, AskedAnew
from synth.runs.calls import NOTHING_SPENT, Logged, Spent, prompt_hash
from synth.runs.events import Cap, Event, Finished
from synth.runs.trace import Plan, Trace
from ui.history import history, summaries
from ui.history.problems import HistoryError
from ui.history.recorder import Recorder
from ui.history.run_file import RunFile
from ui.history.run_rows import NewRun, Parent
from ui.history.saved_run import SavedRun
from ui.plans.plan_range import PlanRange, plan_range
from ui.runs import limits, person, pool
from ui.runs.branches import runs
from ui.runs.job import NO_PAST, Events, Job, Past
from ui.runs.pool import Lane
from ui.session import keys, workspace
from ui.settings import hosts, model, state, this_machine
from ui.settings.model_kinds import HUMAN, OFFLINE, ON_THIS_MACHINE, RECORDED
from ui.settings.request import Request
from ui.settings.schema import Settings

PLAYGROUND, COMPARE = "Playground", "Compare"
"""The pages that make runs."""

_SHORT_WAIT = 0.5  # seconds, after which a page would look again at a run that goes on


def may_start() -> bool:
    """Whether a press in a part of the Playground may start a run.

    It may not if another tab changed the settings, or began a run, since the page was drawn: the
    page says so when it is drawn next.
    """
    changed = st.session_state.get(keys.SEEN_RUN) is not runs().job or state.changed_elsewhere()
    st.session_state[keys.NOT_STARTED] = changed
    return not changed


def start(request: Request, by_person: bool = False, reuse: bool = False) -> None:
    """Start a run of the request, which asks each prompt anew unless it may `reuse` answers.

    With `by_person`, a person answers its prompts, whatever model is chosen.
    """
    job = job_of(request, settings=_settings(by_person), reuse=reuse)
    show(job)
    _let_it_end(job)


def _let_it_end(job: Job) -> None:
    """Wait for a moment, so that the page shows a short run as ended, and draws no progress."""
    if not (job.by_person or job.waiting):
        job.wait(_SHORT_WAIT)


def show(job: Job) -> None:
    """Show this run on the Playground, with the inputs folded away."""
    st.session_state[keys.NEW_RUN] = True
    st.session_state[keys.INPUTS_OPEN] = False
    runs().begin(job)


def show_earlier(job: Job) -> None:
    """Show a run that was made before, as if nothing of any run had been looked at."""
    for name in (keys.VIEW, keys.STEP, keys.PLAN_FIRST):
        st.session_state.pop(name, None)
    show(job)


def resume(job: Job, trace: Trace) -> None:
    """Resume a run that ended early: only calls without an answer are sent."""
    past = Past(trace.log(), job.edited, job.spent, job.run, trace=trace, unpriced=job.unpriced)
    resumed = job_of(job.request, past, settings=settings_of(job), reuse=job.reuses)
    runs().resume(resumed)
    _let_it_end(resumed)


def _settings(by_person: bool) -> Settings:
    """The settings of the page; with `by_person`, the model in them is the person."""
    settings = state.current()
    return settings.with_({"model": HUMAN.value}) if by_person else settings


def settings_of(job: Job) -> Settings:
    """The settings with which a run goes on: its own model and limits, the rest as on the page.

    An endpoint is asked at the address of the page, since a server may have moved.
    """
    settings, request = _settings(job.by_person), job.request
    own = {"context_window": request.context_window, "num_output": request.num_output}
    if not job.by_person:
        own |= request.model.settings
    if settings.model_kind.needs_address:
        own.pop("base_url", None)
    return settings.with_(own)


def key_gone(job: Job, settings: Settings) -> str | None:
    """A sentence if the run began with an API key that the session no longer has, else None."""
    if not job.has_key or not settings.model_kind.needs_key or hosts.has_key(settings):
        return None
    return "The API key ended with its session. To go on with one, type it again in the sidebar."


def cap_hint(trace: Trace) -> str | None:
    """A sentence on where the cap is set if the run ended at it, else None."""
    if trace.error_kind != CapReached.__name__:
        return None
    lent = "; with this server's key it is at most what that may still pay today"
    return (
        f"The cap is set in More limits{lent * hosts.lends_key(state.current())}. Without one of"
        f" calls a run stops after {PLANNED_CALLS:,}, and after as many more each time it goes on."
    )


def branch(job: Job, trace: Trace, number: int, text: str) -> None:
    """Start a branch from an answer that a person wrote, reusing answers to unchanged prompts."""
    parent = None if job.run is None else Parent(job.run, number)
    past = Past(edited_log(trace, number, text), job.edited | {number}, parent=parent)
    begun = job_of(job.request, past, settings=settings_of(job))
    runs().branch(begun)
    _let_it_end(begun)


def edited_log(trace: Trace, number: int, text: str) -> dict[int, Logged]:
    """The answers of a run, that of one call replaced by a text."""
    [call] = [call for call in trace.calls if call.number == number]
    tokens = trace.setup.tokenizer.count(text)
    return trace.log() | {number: Logged(prompt_hash(call.prompt), text, output_tokens=tokens)}


def job_of(
    request: Request,
    past: Past = NO_PAST,
    *,
    settings: Settings,
    repeat: int = 0,
    lane: Lane | None = None,
    page: str = PLAYGROUND,
    reuse: bool = True,
    plans: PlanRange | None = None,
) -> Job:
    """A run with the model of these settings, which begins now, or when its lane has room.

    It reuses the answers of its past, and with `reuse` those to the same prompts of other runs.
    Each `repeat` has its own cache, so that it reuses no answer of another repeat. It is saved as a
    run of this page. `plans` are those of the request, where they are known.
    """
    plan = (plans or plan_range(request)).high
    planned = plan.call_count if plan is not None and plan.problem is None else None
    setup = request.synthesizer().setup(request.query_str, request.text_chunks)
    try:
        options = limits_of(request, settings, repeat, past.spent, reuse)
        cap: Cap = options["cap"]
        if cap.calls is None:  # a run may never finish, and whoever started it may have left
            options["cap"] = replace(cap, calls=cap.spent.calls + PLANNED_CALLS)
        synthesizer = request.synthesizer(model_for(settings), **options)
    except SynthError as error:
        return Job(request, setup, planned, past).ended(None, str(error))
    has_key, by_person = hosts.has_key(settings), settings.model_kind == HUMAN
    place = workspace.current().id, page
    lent = hosts.lends_key(settings)
    new = NewRun(*place, request, planned, has_key, by_person, lent, past.parent, past.unpriced)
    recorder = Recorder(new, past.run, past.edited, past.spent)
    values: dict[str, Any] = dict(request.variables)
    log = past.log or (model.recorded().log if settings.model_kind == RECORDED else {})
    if synthesizer.plannable:
        events = partial(synthesizer.stream, request.query_str, request.text_chunks, log, **values)
    else:
        events = partial(_unplanned_events, synthesizer, request)
    if lane is None:
        lane = Lane(new.workspace, pool=pool.PEOPLE if by_person else pool.RUNS)
    job = Job(request, setup, planned, past, has_key, by_person, recorder)
    job.reuses = reuse
    return job.begin(lane, events if past.run else partial(_within_limits, lent, events))


def _within_limits(lent: bool, events: Events, stop: threading.Event) -> Iterator[Event]:
    """The events of a run that is new, if the operator's limits allow one when it begins."""
    limits.require_room()
    if lent:
        limits.require_dollars()
    return events(stop)


def reopened(run: SavedRun) -> Job:
    """The saved run as it was recorded, to be shown, resumed or branched; nothing is asked."""
    summary = run.summary
    elsewhere = run.request.model.model_kind == RECORDED and summary.dollars is None
    past = Past(
        edited=run.edited, spent=run.spent_on_lost_calls, run=summary.id, unpriced=elsewhere
    )
    job = Job(
        run.request,
        run.trace.setup,
        past=past,
        has_key=summary.has_key,
        by_person=summary.by_person,
    )
    return job.ended(run.trace)


def recorded_elsewhere(
    file: RunFile, workspace_id: str, page: str = PLAYGROUND, id: str | None = None
) -> Job:
    """A run that was made elsewhere, saved as one of a page of this workspace; nothing is asked.

    With an `id` it is saved once, however often it comes.
    """
    request, trace = file.request, file.trace
    past = Past(edited=file.edited, unpriced=request.model.model_kind == RECORDED)
    if id is not None and _is_saved(id, workspace_id, page):
        return Job(request, trace.setup, past=past._replace(run=id)).ended(trace)
    new = NewRun(
        workspace_id,
        page,
        request,
        trace.call_count,
        unpriced=past.unpriced,
        name=file.name,
        note=file.note,
        id=id,
    )
    recorder = Recorder(new, edited=file.edited)
    return Job(request, trace.setup, past=past, recorder=recorder).ended(trace)


def _is_saved(id: str, workspace_id: str, page: str) -> bool:
    with suppress(HistoryError):  # else it waits to be saved, like any run
        return summaries.open_again(history.history(), id, workspace_id, page)
    return False


def model_for(settings: Settings, **more: Any) -> llms.LLM:
    """The model that these settings choose.

    `more` are further arguments for the model of an endpoint. The API key goes into this object
    and nowhere else. SynthError for a bad address, or one that was not chosen in this session.
    """
    window, num_output = int(settings.context_window), int(settings.num_output)
    kind = settings.model_kind
    if kind in (OFFLINE, RECORDED):
        return llms.ExtractiveLLM(window, num_output, model.counter(settings))
    if kind == HUMAN:
        return person.begin(window, num_output, model.counter(settings))
    limits = {"context_window": window, "num_output": num_output}
    options: dict[str, Any] = limits | {"arguments": settings.sent}
    if kind == ON_THIS_MACHINE:
        if problem := this_machine.why_not():
            raise SynthError(problem)
        return model_on_this_machine(tokenizer=model.tokenizer(settings), **options)
    options["timeout"] = float(settings.timeout)
    return llms.OpenAILLM(
        model=model.name(settings),
        **hosts.connection(settings),
        **options | more,
    )


def limits_of(
    request: Request,
    settings: Settings,
    repeat: int = 0,
    spent: Spent = NOTHING_SPENT,
    reuse: bool = True,
) -> dict[str, Any]:
    """The cap, the cache of answers and the number of calls at once, as arguments of a synthesizer.

    Without `reuse` the cache keeps answers and gives none. SynthError for a cap in dollars if no
    price is known, and for a lent key that has paid all that it may today.
    """
    calls, tokens, most_dollars = settings.cap_calls, settings.cap_tokens, settings.cap_dollars
    if settings.model_kind.is_free:
        at_once = {"max_concurrency": 1} if settings.model_kind == ON_THIS_MACHINE else {}
        return {"cap": Cap(calls, tokens, spent=spent), **at_once}
    price = None if most_dollars is None else request.model.price
    answers = _answers(repeat)
    cap = Cap(calls, tokens, most_dollars, price, spent)
    return {
        "cap": limits.lower(cap, model.name(settings)) if hosts.lends_key(settings) else cap,
        "cache": answers if reuse else AskedAnew(answers),
        "max_concurrency": int(settings.concurrency),
    }


def _answers(repeat: int) -> AnswerCache:
    return workspace.current().remembered(workspace.ANSWERS, repeat, AnswerCache)


def answers_kept(plan: Plan | None, settings: Settings, repeat: int = 0) -> bool:
    """Whether a run of this plan could reuse answers: one to its first prompt is kept."""
    if settings.model_kind.is_free or plan is None or not plan.calls:
        return False
    try:
        identity = model_for(settings).identity
    except SynthError:  # a run reports it
        return False
    return identity is not None and _answers(repeat).keeps(identity, plan.calls[0].prompt)


def _unplanned_events(
    synthesizer: BaseSynthesizer, request: Request, stop: threading.Event
) -> Iterator[Event]:
    """The events of a synthesizer that can't be planned: an answer, without any calls."""
    began = monotonic()
    response = synthesizer.get_response(
        request.query_str, request.text_chunks, **dict(request.variables)
    )
    setup = synthesizer.setup(request.query_str, request.text_chunks)
    yield Finished(Trace(setup, (), str(response), seconds=monotonic() - began), None)
