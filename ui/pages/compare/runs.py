"""The runs of a comparison: what is to run, started, stopped, brought back, judged by rubrics."""

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st

from synth.errors import ImportedRunError, SynthError
from synth.quality.rubric import judge_answers, read_ruling, rubric_prompt
from synth.runs import drivers
from synth.runs.bounds import Bounds
from synth.runs.calls import Setup, prompt_hash
from synth.runs.events import Answered, Event, RunOptions
from synth.runs.state import RunState
from synth.runs.trace import Plan
from synth.text.wording import counted, dollars, round_up
from ui.controls.input_changes import settings_of
from ui.look.elements import error_box, small
from ui.pages.compare.columns import (
    Column,
    columns_of_modes,
    current_columns,
    store_columns,
)
from ui.pages.compare.comparison import (
    MOST_RUNS,
    AskedRun,
    Comparison,
    RunRow,
    compared_runs,
    frame_of,
    with_numbers,
)
from ui.pages.compare.thumbs_and_notes import is_judged, keep_ruling, short_hash
from ui.plans.cost import cost_at_most, crossing, likely_cost, price_tag
from ui.runs.job import Job, begin_together
from ui.runs.start import COMPARE, answered_prompts, job_of, limits_of, model_for, reopen
from ui.session import keys, workspace
from ui.settings import hosts, schema, state
from ui.settings.request import Model, Request
from ui.settings.schema import MOST_COLUMNS, Settings
from ui.store import runs as saved_runs
from ui.store.rows import Run, RunInfo
from ui.store.store import current_store

RUNS_AT_ONCE = 4
"""Runs that go on at the same time; more would only wait for one another at a server."""


def lacking(comparison: Comparison) -> list[RunRow]:
    """List the runs that can be made and have no response yet."""
    return [row for row in comparison.rows if row.lacks_answer]


def press(comparison: Comparison, rows: Sequence[RunRow], reuse: bool = True) -> None:
    """Make these runs, since a button was pressed, and draw the page again."""
    held = compared_runs()
    with held.pressing:
        begun = any(held.jobs[row.key].running for row in rows if row.key in held.jobs)
        st.session_state[keys.NOT_STARTED] = begun or state.is_changed_elsewhere()
        if not st.session_state[keys.NOT_STARTED]:
            start(comparison, rows, reuse)
    st.rerun()


def start(comparison: Comparison, rows: Sequence[RunRow], reuse: bool = True) -> None:
    """Make these runs, a few at a time; with `reuse`, prompts that have an answer are not sent."""
    store_columns(current_columns(comparison.page))
    held = compared_runs()
    _forget_others(comparison)
    # None begins before all are made: the page would wait for the processor beside them.
    made = []
    try:
        for row in {row.key: row for row in rows}.values():  # columns may ask the same
            earlier: dict[str, Any] = {}  # a finished run starts again from nothing
            if row.job is not None and row.trace is not None and row.answer is None:
                earlier = {"info": row.job.info_now, "earlier": row.trace}
            job = job_of(
                row.request,
                **earlier,
                settings=comparison.column(row.column).settings,
                repeat=row.repeat,
                page=COMPARE,
                # One that was to ask everything anew, and ended before it had, still is.
                reuse=reuse and (row.job is None or row.answer is not None or row.job.reuses),
                plans=row.plans,
            )
            held.jobs[row.key] = job
            made.append(job)
    finally:
        begin_together(made, RUNS_AT_ONCE)
    begin_judging(comparison)


def _forget_others(comparison: Comparison) -> None:
    """Forget the oldest runs of other settings where there are too many."""
    held, asked = compared_runs(), {row.key for row in comparison.rows}
    others = [key for key, job in held.jobs.items() if key not in asked and not job.running]
    for key in others[: max(0, len(held.jobs) - MOST_RUNS)]:
        del held.jobs[key]


def stop_others(comparison: Comparison) -> None:
    """Stop the runs that nothing on the page asks for any longer."""
    held = compared_runs()
    asked = {row.job for row in comparison.rows}
    for job in dict.fromkeys(held.jobs.values()):
        if job.running and job not in asked and not job.elsewhere:
            job.stop()


def too_many(comparison: Comparison) -> str | None:
    """Say why nothing can be run, if it would be more runs than can be compared."""
    runs = len(comparison.rows)
    if runs <= MOST_RUNS:
        return None
    questions = counted(len(comparison.asked), "question")
    repeats = counted(comparison.repeats, "time")
    return (
        f"{questions} in {len(comparison.columns)} columns, {repeats} each, would be {runs:,}"
        f" runs. At most {MOST_RUNS:,} can be compared: use fewer columns, questions or repeats."
    )


def still_to_send(comparison: Comparison) -> str:
    """Say the calls, tokens and dollars of all that has no answer yet; "" for none."""
    rows = [*{row.key: row for row in lacking(comparison)}.values()]  # columns may ask the same
    if not rows:
        return ""
    answered = {
        (column.name, repeat): answered_prompts(column.settings, repeat)[1]
        for column in comparison.columns
        for repeat in range(comparison.repeats)
    }
    left: list[RunRow] = []
    unsent: dict[Model, list[Plan]] = {}
    for row in rows:
        planned, plan = with_numbers(row._replace(job=None)), row.plans.high
        if plan is None or math.isnan(planned.calls):
            continue
        logged, known = row.trace.log() if row.trace else {}, answered[row.column, row.repeat]
        done = {
            call.number: call.prompt_tokens
            for call in plan.calls
            if call.number in logged or (call.exact and prompt_hash(call.prompt) in known)
        }
        model, most = row.request.model, row.request.most_output
        costs = [model.price.at_most(tokens, most) for tokens in done.values() if model.price]
        left.append(
            planned._replace(
                calls=planned.calls - len(done),
                tokens=planned.tokens - sum(done.values()) - most * len(done),
                cost=planned.cost - sum(costs),
            )
        )
        rest = tuple(call for call in plan.calls if call.number not in done)
        # A server's cache knows no options.
        unsent.setdefault(replace(model, options=()), []).append(replace(plan, calls=rest))
    sums = frame_of(left)[["calls", "tokens", "cost"]].sum()
    bounded = all(row.bounded for row in left)
    line = counted(round(sums["calls"]), "call")
    if sums["tokens"] > 0:
        line = (
            f"{'at most' if bounded else 'about'} {line}, {counted(round(sums['tokens']), 'token')}"
        )
    if sums["cost"] > 0:
        likely = likely_cost(unsent, comparison.page.concurrency, RUNS_AT_ONCE)
        if likely is not None:
            line += f", likely {dollars(likely)}"
        if bounded:
            line += f", at most {dollars(round_up(sums['cost']))}"
        if tags := dict.fromkeys(filter(None, map(price_tag, unsent))):
            line += f" ({', '.join(tags)})"
    if any(row.request.model.price is None and not row.request.model.free for row in rows):
        line += ", price unknown"
    lost = len(rows) - len(left)
    without = f"; {counted(lost, 'run')} without a plan" if lost else ""
    return f"To send: {line}{without}."


def take_handed_over(page: Settings) -> Sequence[Run]:
    """Make the runs that the page Runs handed over the columns, a single one beside other modes."""
    runs: Sequence[Run] = st.session_state.pop(keys.RUNS_TO_COMPARE, ())[:MOST_COLUMNS]
    if runs:
        st.session_state[keys.COMPARE_VIEW] = "columns"
        others = columns_of_modes(page.mode)[1:] if len(runs) == 1 else ()
        store_columns([*(_column_of(page, run.request) for run in runs), *others])
    return runs


def put_handed_over(comparison: Comparison, runs: Sequence[Run]) -> bool:
    """Show these runs in the columns that ask what they asked; whether there are any."""
    for row, run in zip(comparison.rows, runs, strict=False):
        # No column sets the places of its chunks.
        now = replace(run.request, positions=row.request.positions, scores=row.request.scores)
        if now == row.request:
            compared_runs().jobs[row.key] = reopen(replace(run, request=row.request))
    return bool(runs)


def bring_back(comparison: Comparison) -> bool:
    """Find the latest saved runs of its requests, once; whether there are any.

    A server that was started anew has them in its database alone, and they may have cost much.
    StoreError if that can't be read.
    """
    held = compared_runs()
    if held.looked or held.jobs:
        return False
    with st.spinner("Reading the runs that are saved"):
        for asked, id in _saved_ids(comparison).items():
            with suppress(ImportedRunError):  # who opens it on Runs reads what is damaged
                run = saved_runs.load_run(current_store(), workspace.current().id, id)
                if run is not None:
                    held.jobs[asked] = reopen(replace(run, request=asked.request))
    held.looked = True
    return bool(held.jobs)


def _saved_ids(comparison: Comparison) -> dict[AskedRun, str]:
    """The latest saved run of each that is asked; of its repeats, the last is the latest."""
    requests = dict.fromkeys(row.request for row in comparison.rows)
    saved = saved_runs.find_equal(current_store(), workspace.current().id, COMPARE, requests)
    ids = {}
    for row in comparison.rows:
        in_turn = saved[row.request][: comparison.repeats][::-1]
        if row.repeat < len(in_turn):
            ids[row.key] = in_turn[row.repeat]
    return ids


def _column_of(page: Settings, request: Request) -> Column:
    """The column that overrides its mode, its model, and what else the Playground has not now."""
    settings = settings_of(request) | request.model.settings
    overrides = {
        name: value
        for name, value in settings.items()
        if schema.may_differ(name) and (name in ("mode", "model") or value != page.value(name))
    }
    return Column("", tuple(overrides.items()))


_LOOK = 0.5  # seconds between two looks at a run whose answer is waited for


def draw_judging(comparison: Comparison, coming: Sequence[RunRow]) -> None:
    """Say what judging takes, with the runs that are coming or by the button."""
    if not any(asked.rubrics for asked in comparison.asked):
        return
    for job in compared_runs().judging:
        if reason := job.problem or (job.trace and job.trace.error):
            error_box("Judging ended early.", f"{reason} What was said by then is kept.")
    settings = comparison.judge_settings
    if problem := _why_not(settings):
        small(problem)
        return
    request = Request.of(settings)
    bounds, model = _bound_judging(comparison, coming, request), request.model
    if not bounds.calls.high:
        return
    crossed = crossing(bounds, settings, model)
    with st.container(horizontal=True, vertical_alignment="center"):
        small(
            f"Judging by rubrics: {counted(bounds.calls.low, 'call')} to {model.name}, about"
            f" {bounds.prompt_tokens.low:,} prompt tokens, at most {bounds.output_tokens.high:,}"
            f" output tokens{cost_at_most(model, bounds)}. {crossed or ''}"
        )
        if not coming and st.button("Judge", key="judge_button", icon=":material/gavel:"):
            begin_judging(comparison)
            st.rerun()


def _why_not(settings: Settings) -> str:
    """Say why nothing is judged; "" if the model of these settings can be asked."""
    if not settings.model_kind.has_server:
        return "No rubric is judged: choose a model that can, of an endpoint or on this machine."
    return hosts.why_not(settings)


def _bound_judging(comparison: Comparison, coming: Sequence[RunRow], request: Request) -> Bounds:
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


def begin_judging(comparison: Comparison) -> None:
    """Ask about the answers of these runs once they are there, but for what has been said."""
    jobs, space, settings = compared_runs().jobs, workspace.current(), comparison.judge_settings
    cases = [
        (jobs[row.key], comparison.asked[row.question].query, rubric)
        for row in comparison.rows
        if row.key in jobs
        for rubric in comparison.asked[row.question].rubrics
    ]
    if not cases or _why_not(settings) or any(job.running for job in compared_runs().judging):
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
        state = RunState(setup, steps, replace(options, stop=stop), llm)
        for event in drivers.stream(state):
            if isinstance(event, Answered):  # kept before anybody sees it
                ruling = read_ruling(event.call.answer or "", model)
                keep_ruling(space, names[event.call.number - 1], ruling)
            yield event

    job.events = events
    job.begin()
