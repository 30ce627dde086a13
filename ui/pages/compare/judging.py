"""The judging of answers by rubrics: planned and priced, and asked once the answers are there."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

import streamlit as st

from synth.errors import SynthError
from synth.quality.rubric import judge_answers, read_ruling, rubric_prompt
from synth.runs import drivers
from synth.runs.bounds import Bounds
from synth.runs.calls import Setup
from synth.runs.events import Answered, Event, RunOptions
from synth.text.wording import counted
from ui.look.elements import error_box, small
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.frame import AskedRun, RunRow, compared_runs
from ui.pages.compare.ratings import is_judged, keep_ruling, short_hash
from ui.plans.cost import cost_at_most, crossing
from ui.runs.job import Job
from ui.runs.start import limits_of, model_for
from ui.session import workspace
from ui.settings import hosts
from ui.settings.request import Request
from ui.settings.schema import Settings
from ui.store.tables import RunInfo

_LOOK = 0.5  # seconds between two looks at a run whose answer is waited for


def draw(comparison: Comparison, coming: Sequence[RunRow]) -> None:
    """Say what judging takes, with the runs that are coming or by the button."""
    if not any(asked.rubrics for asked in comparison.asked):
        return
    for job in compared_runs().judging:
        if reason := job.problem or (job.trace and job.trace.error):
            error_box("Judging ended early.", f"{reason} What was said by then is kept.")
    settings = comparison.judge_settings
    if problem := why_not(settings):
        small(problem)
        return
    request = Request.of(settings)
    bounds, model = bounds_of(comparison, coming, request), request.model
    if not bounds.calls.high:
        return
    crossed = crossing(bounds, settings, model)
    with st.container(horizontal=True, vertical_alignment="center"):
        small(
            f"Judging by rubrics: {counted(bounds.calls.low, 'call')} to {model.name}, about"
            f" {bounds.prompt_tokens.low:,} prompt tokens, at most {bounds.output_tokens.high:,}"
            f" output tokens{cost_at_most([(model, bounds)])}. {crossed or ''}"
        )
        if not coming and st.button("Judge", key="judge_button", icon=":material/gavel:"):
            begin(comparison)
            st.rerun()


def why_not(settings: Settings) -> str:
    """Say why nothing is judged; "" if the model of these settings can be asked."""
    if not settings.model_kind.has_server:
        return "No rubric is judged: choose a model that can, of an endpoint or on this machine."
    return hosts.why_not(settings)


def bounds_of(comparison: Comparison, coming: Sequence[RunRow], request: Request) -> Bounds:
    """Bound the judging of answers without a ruling, and of those to come, of num_output tokens."""
    space, starting = workspace.current(), {row.key for row in coming}
    cases: dict[tuple[tuple[str, str, str], AskedRun | None], int] = {}  # with an answer's tokens
    for row in comparison.rows:
        asked, known = comparison.asked[row.question], row.answer
        for rubric in asked.rubrics:
            case = asked.query, known or "", rubric
            if known is not None and not is_judged(space, short_hash(request.model.name, *case)):
                cases[case, None] = 0  # equal answers are asked about once
            elif known is None and row.key in starting:
                cases[case, row.key] = row.request.num_output
    prompts = space.remember_all(
        "rubric prompts", (case for case, _ in cases), lambda case: rubric_prompt(*case)
    )
    counts = request.counter
    tokens = [prompts[case].tokens(counts) + more for (case, _), more in cases.items()]
    return Bounds.batch(tokens, request.num_output)


def begin(comparison: Comparison) -> None:
    """Ask about the answers of these runs once they are there, but for what has been said."""
    jobs, space, settings = compared_runs().jobs, workspace.current(), comparison.judge_settings
    cases = [
        (jobs[row.key], comparison.asked[row.question].query, rubric)
        for row in comparison.rows
        if row.key in jobs
        for rubric in comparison.asked[row.question].rubrics
    ]
    if not cases or why_not(settings) or any(job.running for job in compared_runs().judging):
        return
    request = Request.of(settings)
    sizes = request.context_window, request.num_output, request.counter
    setup, model = Setup("rubric", "documented", "", (), *sizes), request.model.name
    job = Job(request, setup, RunInfo(planned=len(cases)))
    compared_runs().judging = [job]
    try:
        limits, llm = limits_of(request, settings), model_for(settings)
    except SynthError as problem:
        job.ended(None, str(problem))
        return
    options = RunOptions(limits.get("max_concurrency", 1), cap=limits["cap"])

    def events(stop: threading.Event) -> Iterator[Event]:
        for run, _, _ in cases:
            while run.running and not stop.is_set():
                run.wait(_LOOK)
        prompts = {}
        for run, query, rubric in cases:
            if run.trace is not None and (answer := run.trace.response) is not None:
                name = short_hash(model, query, answer, rubric)
                if not is_judged(space, name):
                    prompts[name] = rubric_prompt(query, answer, rubric)
        if not prompts:
            return
        names, steps = [*prompts], judge_answers([*prompts.values()])
        for event in drivers.stream(setup, steps, llm, replace(options, stop=stop)):
            if isinstance(event, Answered):  # kept before anybody sees it
                ruling = read_ruling(event.call.answer or "", model)
                keep_ruling(space, names[event.call.number - 1], ruling)
            yield event

    job.events = events
    job.begin()
