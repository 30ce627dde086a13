"""The ticked runs: one in short with what can be done with it, or several, and where they open."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo
from itertools import groupby

import streamlit as st

from synth.errors import SynthError
from synth.html.escape import counting_tag, sentence_html, tags_html
from synth.html.figures import alarm_html
from synth.html.markup import pairs, tag
from synth.pictures.walk import steps_of
from synth.text.wording import counted, short
from synth.words.cost_words import paid
from synth.words.sentences import run_headline
from ui.controls import handover
from ui.look.elements import error_box, small, when
from ui.pages.runs import actions, run_words
from ui.pages.runs.run_words import LONGEST_TITLE, spent, title
from ui.runs import start
from ui.runs.branches import runs as playground
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.settings import expected, hosts, state
from ui.settings.request import Request
from ui.settings.schema import MOST_COLUMNS
from ui.store import runs as saved_runs
from ui.store.run_json import Run
from ui.store.runs import Owner
from ui.store.store import Store
from ui.store.tables import RunInfo

_UNSURE = (
    "The list and the cost count {requests} more, with the longest answer: the server ended before"
    " it was answered."
)
_GOES_ON = ("interrupted", "stopped", "failed")


def draw(store: Store, owner: Owner, ticked: Sequence[RunInfo], local: tzinfo) -> None:
    """Draw what is ticked, in a frame."""
    actions.draw_problem()
    with st.container(border=True, key="run_detail"):
        if not ticked:
            small("Tick a run to see it, several to compare them.")
        elif len(ticked) == 1:
            _one(store, owner, ticked[0], local)
        else:
            _several(store, owner, ticked, local)


def _one(store: Store, owner: Owner, run: RunInfo, local: tzinfo) -> None:
    run_words.draw(run, local)
    whole = None
    try:
        whole = loaded(store, owner, run)
    except SynthError as problem:
        error_box("This run can't be opened.", str(problem))
    if run.state == "running":
        _going_on(playground().find(run.id))
    if whole is not None:
        cost = paid(run.dollars, at_most=bool(run.unsure))
        trace = replace(whole.trace, stopped=whole.trace.stopped and run.state != "running")
        said = run_headline(trace, run.by_person, whole.info.edited, cost)
        counting = counting_tag(whole.trace.setup.tokenizer)
        alarm = alarm_html(whole.trace)
        st.html(alarm + sentence_html(said.sentence) + tags_html([counting]))
    if run.unsure and run.state != "running":
        small(_UNSURE.format(requests=counted(run.unsure, "request")))
    if run.answer:
        st.html(tag("div.answer.pane", run.answer, dir="auto", tabindex="0"))
    elif run.problem:
        error_box("It failed.", run.problem)
    rows = {"Model": "you" if run.by_person else run.model, "Note": run.note}
    st.html(pairs((name, text) for name, text in rows.items() if text))
    if whole is not None and run.state != "running":
        _ways_on(whole)
    actions.draw(store, owner, run)


def _going_on(job: Job | None) -> None:
    if job is not None and not job.running:
        small("It was stopped, and ends when its last call is answered. Saved so far:")
        return
    small("It still goes on, and can be opened when it has ended. Saved so far:")
    if job is not None and not job.elsewhere:
        st.button("Stop", key="stop_saved", icon=":material/stop:", on_click=job.stop)


def _ways_on(run: Run) -> None:
    goes_on = run.info.state in _GOES_ON
    with st.container(horizontal=True, vertical_alignment="center", key="run_ways"):
        if goes_on and st.button(
            "Resume",
            type="primary",
            icon=":material/resume:",
            help="Opens it, and sends only unanswered calls.",
            key="resume_saved",
        ):
            resume(run)
        steps = len(steps_of(run.trace))
        at = 0
        pressed = st.button(
            "Open",
            type="secondary" if goes_on else "primary",
            icon=":material/open_in_new:",
            key="open_saved",
        )
        if steps:
            at = st.selectbox(
                "Open at",
                range(steps + 1),
                format_func=lambda step: f"at step {step} of {steps}" if step else "at its answer",
                label_visibility="collapsed",
                width=150,
                key=f"open_at {run.info.id}",
            )
        if pressed:
            open_at(run, at)


def loaded(store: Store, owner: Owner, run: RunInfo) -> Run | None:
    """The whole run, from memory until it goes on; None if it was deleted in the meantime."""
    found: Run | None = workspace.current().remember(
        "saved run", _state_of(run), lambda: saved_runs.load_run(store, owner, run.id)
    )
    return None if found is None else replace(found, info=replace(run, edited=found.info.edited))


def _state_of(run: RunInfo) -> tuple[object, ...]:
    return run.id, run.state, run.ended, run.calls


def open_at(run: Run, step: int) -> None:
    """Show the run in the Playground, which gets its settings; steps are counted from 1."""
    _show(run)
    view = {"view": "steps", keys.STEP: str(step)} if step else {}
    st.switch_page("app.py", query_params=workspace.address(**view))


def resume(run: Run) -> None:
    """Show the run in the Playground and let it go on there, if nothing is missing for that."""
    job = _show(run)
    asks = start.say_key_gone(job, state.current()) or hosts.why_not(state.current())
    if job.trace is not None and not asks:
        start.resume(job, job.trace)
    st.switch_page("app.py", query_params=workspace.address())


def _show(run: Run) -> Job:
    """Show the run with its settings and with its chunks alone, in their order."""
    request = run.request.with_own_chunk_list()
    handover.put_run(request, short(title(run.info), LONGEST_TITLE))
    job = start.reopen(replace(run, request=request))
    # What the Playground can't set, such as the price of that day, makes its answer no older.
    st.session_state[keys.LOOKED_AT] = Request.of(state.current())
    start.show_earlier(job)
    return job


def _several(store: Store, owner: Owner, runs: Sequence[RunInfo], local: tzinfo) -> None:
    small(f"{len(runs):,} runs are ticked.")
    for name, named in groupby(runs[:MOST_COLUMNS], title):
        run_words.draw_title(name)
        for run in named:
            small(f"{run.mode}, {when(run.started, local)}: {spent(run)}.")
    if len(runs) > MOST_COLUMNS:
        small(f"and {len(runs) - MOST_COLUMNS:,} more. Compare has up to {MOST_COLUMNS} columns.")
    else:
        _draw_opening(store, owner, list(reversed(runs)))
    actions.delete(store, owner, runs)


def _draw_opening(store: Store, owner: Owner, runs: Sequence[RunInfo]) -> None:
    if not st.button(
        "Open in Compare",
        type="primary",
        icon=":material/view_column:",
        help="Each run becomes a column with its answers. Nothing is sent.",
        key="open_in_compare",
    ):
        return
    try:
        found = [loaded(store, owner, run) for run in runs]
    except SynthError as problem:
        error_box("One of these runs can't be opened.", str(problem))
        return
    whole = [run for run in found if run is not None]
    reason = why_not(whole) if len(whole) == len(runs) else "One of them was deleted."
    if reason is not None:
        error_box("These runs can't be columns of Compare.", reason)
        return
    handover.put_run(whole[0].request, short(title(whole[0].info), LONGEST_TITLE))
    handover.displace_columns()
    st.session_state[keys.RUNS_TO_COMPARE] = whole
    st.switch_page("pages/compare.py", query_params=workspace.address())


def why_not(runs: Sequence[Run]) -> str | None:
    """Why these runs can't be columns, which share a question and chunks; None if they can."""
    requests = [run.request for run in runs]
    if any(run.info.state == "running" for run in runs):
        return "One of them still goes on: wait for its end."
    if len({request.query_str for request in requests}) > 1:
        return "Their questions differ, and Compare asks all columns the same."
    if len({request.text_chunks for request in requests}) > 1:
        return "Their chunks differ, or stand in another order, and Compare gives all the same."
    if expected.questions() or workspace.value(keys.QUESTIONS, "").strip():
        return "Compare has a list of questions now: remove it there, under “Edit columns”."
    return None
