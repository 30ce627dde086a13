"""The runs of the Playground: their start, resumption, and branches from edited answers."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from types import MappingProxyType
from typing import Any

import streamlit as st

from synth import llms
from synth.errors import CapReached, SynthError
from synth.llms.on_this_machine import model_on_this_machine
from synth.modes.base import PLANNED_CALLS, BaseSynthesizer
from synth.runs.calls import NOTHING_SPENT, AnswerCache, AskedAnew, Log, Logged, Spent, prompt_hash
from synth.runs.events import Cap, Event, Finished
from synth.runs.trace import Trace
from ui.plans.plan_range import PlanRange, plan_range
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.session.workspace import Holding
from ui.settings import hosts, model, state
from ui.settings.request import Request
from ui.settings.schema import (
    HUMAN,
    OFFLINE,
    ON_THIS_MACHINE,
    RECORDED,
    Settings,
    without_secrets,
)
from ui.store import runs as saved_runs
from ui.store.rows import RUNNING, Run, RunInfo
from ui.store.store import StoreError, current_store

PLAYGROUND, COMPARE = state.PLAYGROUND, "Compare"
"""The pages that make runs."""

_SHORT_WAIT = 0.5  # seconds, after which a page would look again at a run that goes on


@dataclass
class Runs(Holding):
    """The run and its branches, and the `position` of the one that is shown.

    `left` are earlier runs that may still go on. `pressing` is held while a press begins a run.
    """

    jobs: list[Job] = field(default_factory=list)
    position: int = 0
    left: list[Job] = field(default_factory=list)
    pressing: threading.RLock = field(default_factory=threading.RLock)

    @property
    def job(self) -> Job | None:
        """The run that is shown."""
        return self.jobs[self.position] if self.jobs else None

    @property
    def busy(self) -> bool:
        """Whether one of the runs goes on, or is not saved yet."""
        return any(job.busy for job in (*self.jobs, *self.left))

    def stop(self) -> None:
        """Stop all that go on."""
        for job in (*self.jobs, *self.left):
            job.stop()

    def begin(self, job: Job) -> None:
        """Show a new run; earlier ones are forgotten once ended, and no person answers them."""
        for earlier in self.jobs:
            if earlier.person is not None:
                earlier.stop()
        self.left = [one for one in (*self.left, *self.jobs) if one.running or one.unsaved]
        self.jobs, self.position = [job], 0

    def find(self, run: str) -> Job | None:
        """Return the run of this id if it is in memory, whether it is shown or not."""
        return next((job for job in (*self.jobs, *self.left) if job.run == run), None)

    def branch(self, job: Job) -> None:
        """Add a branch, and show it."""
        self.jobs, self.position = [*self.jobs, job], len(self.jobs)

    def resume(self, job: Job) -> None:
        """Replace the run that is shown by the one that resumes it."""
        self.jobs[self.position] = job


def runs() -> Runs:
    """Return the runs of this tab's workspace."""
    return workspace.current().holding(Runs)


def press(action: Callable[[], None]) -> None:
    """Do what a press in a part of the Playground asks, and draw the page again.

    Nothing is done if another tab changed the settings, or began a run, since the page was drawn.
    """
    with runs().pressing:
        began = st.session_state.get(keys.SEEN_RUN) is not runs().job
        st.session_state[keys.NOT_STARTED] = began or state.is_changed_elsewhere()
        if not st.session_state[keys.NOT_STARTED]:
            state.update()  # also where nobody has set any yet: a run comes back with its settings
            action()
    st.rerun()


def start(request: Request) -> None:
    """Start a run of the request, which asks all anew."""
    _begin(job_of(request, settings=state.current(), reuse=False), show)


def _begin(job: Job, put: Callable[[Job], None]) -> None:
    """Begin a run in its place, and wait for a moment, so that a short one is shown as ended."""
    put(job.begin())
    if not job.info.by_person:
        job.wait(_SHORT_WAIT)


def show(job: Job) -> None:
    """Show this run on the Playground."""
    st.session_state[keys.NEW_RUN] = True
    runs().begin(job)


def show_earlier(job: Job) -> None:
    """Show a run that was made before, as if nothing of any run had been looked at."""
    for name in (keys.VIEW, keys.STEP, keys.PLAN_FIRST):
        st.session_state.pop(name, None)
    show(job)


def resume(job: Job, trace: Trace) -> None:
    """Resume a run that ended early: only calls without an answer are sent."""
    settings = settings_of(job)
    resumed = job_of(job.request, job.info_now, earlier=trace, settings=settings, reuse=job.reuses)
    _begin(resumed, runs().resume)


def settings_of(job: Job) -> Settings:
    """Return the run's own model and limits, at its own address, else at that of the page."""
    settings, request = state.current(), job.request
    limits = "context_window", "num_output", "reasoning_output"
    own: dict[str, Any] = {name: getattr(request, name) for name in limits}
    own |= {"model": HUMAN.value} if job.info.by_person else request.model.settings
    here = without_secrets(settings.base_url.strip())  # as the address of a run is kept
    if settings.model_kind.needs_address and request.model.address in ("", here):
        own.pop("base_url", None)
    return settings.with_(own)


def say_key_gone(job: Job, settings: Settings) -> str | None:
    """Say, in a sentence, if the run began with a key that the session no longer has, else None."""
    if not job.info.has_key or not settings.model_kind.needs_key or hosts.has_key(settings):
        return None
    return "The API key ended with its session. To go on with one, type it again beside the model."


CAP_HINT = (
    "The cap is set in Limits, one of dollars beside the price. Without one of calls a run stops"
    f" after {PLANNED_CALLS:,}, and after as many more each time it goes on."
)


def is_capped(trace: Trace) -> bool:
    """Return whether the run ended at its cap."""
    return trace.error_kind == CapReached.__name__


def branch(job: Job, trace: Trace, number: int, text: str) -> None:
    """Start a branch from an answer that a person wrote, reusing answers to unchanged prompts."""
    [call] = [call for call in trace.calls if call.number == number]
    tokens = trace.setup.tokenizer.count(text)
    log = trace.log() | {number: Logged(prompt_hash(call.prompt), text, output_tokens=tokens)}
    info = RunInfo(edited=job.info.edited | {number})
    _begin(job_of(job.request, info, log=log, settings=settings_of(job)), runs().branch)


def job_of(
    request: Request,
    info: RunInfo | None = None,
    *,
    settings: Settings,
    earlier: Trace | None = None,
    log: Log = MappingProxyType({}),
    repeat: int = 0,
    page: str = PLAYGROUND,
    reuse: bool = True,
    plans: PlanRange | None = None,
) -> Job:
    """Make a run with the model of these settings, which has yet to begin.

    With the `earlier` trace of a run it goes on with that, of which `info` is known. It takes the
    answers of its `log`, and with `reuse` those of other runs, but not of another `repeat`. `plans`
    are those of the request, where they are known.
    """
    info = info or RunInfo()
    plan = (plans or plan_range(request)).high
    info = replace(
        info,
        workspace=workspace.current().id,
        page=page,
        planned=plan.call_count if plan is not None and plan.problem is None else None,
        has_key=hosts.has_key(settings),
        by_person=settings.model_kind == HUMAN,
    )
    setup = request.synthesizer().setup(request.query_str, request.text_chunks)
    try:
        options = limits_of(request, settings, repeat, info.spent, reuse)
        cap: Cap = options["cap"]
        if cap.calls is None:  # a run may never finish, and whoever started it may have left
            options["cap"] = replace(cap, calls=cap.spent.calls + PLANNED_CALLS)
        llm = model_for(settings)
        synthesizer = request.synthesizer(llm, **options)
    except SynthError as error:
        return Job(request, setup, info).ended(None, str(error))
    values: dict[str, Any] = dict(request.variables)
    log = log if earlier is None else earlier.log()
    if not log and settings.model_kind == RECORDED:
        log = model.find_recorded()
    registry, space = workspace.registry(), workspace.current()

    def events(stop: threading.Event) -> Iterator[Event]:
        registry.save(space)  # so that what was entered is never older than the run
        if not synthesizer.plannable:
            return _unplanned_events(synthesizer, request)
        return synthesizer.stream(request.query_str, request.text_chunks, log, stop, **values)

    job = Job(request, setup, info, earlier, is_saved=True)
    job.reuses, job.events = reuse, events
    job.person = llm if isinstance(llm, llms.HumanLLM) else None
    return job


def reopen(run: Run) -> Job:
    """Show a saved run, to be resumed or branched; one at another server is looked at again."""
    job = Job(run.request, run.trace.setup, run.info).show_saved(run)
    if run.info.state == RUNNING:
        job.load = partial(saved_runs.load_run, current_store(), run.info.workspace, run.info.id)
    return job


def show_recorded(run: Run, workspace_id: str, id: str | None = None) -> Job:
    """Show a run that was made elsewhere, saved as one of the Playground; with an `id`, once."""
    request, trace = run.request, run.trace
    info = replace(
        run.info,
        id=id or run.info.id,
        workspace=workspace_id,
        page=PLAYGROUND,
        planned=trace.call_count,
    )
    with suppress(StoreError):  # else it waits to be saved, like any run
        if id and saved_runs.open_again(current_store(), id, workspace_id, PLAYGROUND):
            saved = replace(info, state="done").with_spent(trace.sent)
            return reopen(Run(saved, request, trace))
    return Job(request, trace.setup, info, is_saved=True).ended(trace)


def model_for(settings: Settings, **more: Any) -> llms.LLM:
    """Make the model that these settings choose; an endpoint takes `more` arguments.

    The API key goes into this object and nowhere else. SynthError for an address that is bad, or
    was not chosen in this session.
    """
    kind = settings.model_kind
    if kind in (OFFLINE, RECORDED, HUMAN):
        answers = llms.HumanLLM if kind == HUMAN else llms.ExtractiveLLM
        return answers(settings.context_window, settings.num_output, model.counter(settings))
    options: dict[str, Any] = {
        "context_window": settings.context_window,
        "num_output": settings.num_output,
        "arguments": settings.sent,
    }
    if kind == ON_THIS_MACHINE:
        if problem := model.why_not_local():
            raise SynthError(problem)
        return model_on_this_machine(tokenizer=model.tokenizer(settings), **options)
    options["reasoning_output"] = model.reasoning_output(settings)
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
    """Return the cap, the cache of answers and the calls at once, as arguments of a synthesizer.

    Without `reuse` the cache gives none. SynthError for a cap in dollars without a price.
    """
    calls, tokens, most_dollars = settings.cap_calls, settings.cap_tokens, settings.cap_dollars
    if settings.model_kind.is_free:
        at_once = {"max_concurrency": 1} if settings.model_kind == ON_THIS_MACHINE else {}
        return {"cap": Cap(calls, tokens, spent=spent), **at_once}
    price = None if most_dollars is None else request.model.price
    answers = _answers(repeat)
    return {
        "cap": Cap(calls, tokens, most_dollars, price, spent),
        "cache": answers if reuse else AskedAnew(answers),
        "max_concurrency": settings.concurrency,
    }


def _answers(repeat: int) -> AnswerCache:
    return workspace.current().remember(workspace.ANSWERS, repeat, AnswerCache)


def answered_prompts(settings: Settings, repeat: int = 0) -> tuple[str | None, set[str]]:
    """Name the model, and hash the prompts whose answers are kept; None if its are never kept."""
    if settings.model_kind.is_free:
        return None, set()
    try:
        identity = model_for(settings).identity
    except SynthError:  # a run reports it
        identity = None
    return identity, set() if identity is None else _answers(repeat).prompts(identity)


def _unplanned_events(synthesizer: BaseSynthesizer, request: Request) -> Iterator[Event]:
    began = monotonic()
    response = synthesizer.get_response(
        request.query_str, request.text_chunks, **dict(request.variables)
    )
    setup = synthesizer.setup(request.query_str, request.text_chunks)
    yield Finished(Trace(setup, (), str(response), seconds=monotonic() - began), None)
