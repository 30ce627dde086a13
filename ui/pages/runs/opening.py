"""Saved runs opened elsewhere: one in the Playground, several as columns of Compare."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo
from itertools import groupby

import streamlit as st

from synth.errors import SynthError
from synth.text.wording import short
from ui.controls import handover
from ui.history.history import History
from ui.history.saved_run import SavedRun, load
from ui.history.summaries import Owner
from ui.history.tables import Summary
from ui.look.elements import error_box, small, when
from ui.pages.runs import actions, run_words
from ui.pages.runs.run_words import LONGEST_TITLE, spent, title
from ui.runs import start
from ui.runs.job import Job
from ui.session import keys, workspace
from ui.settings import hosts, question_set, state
from ui.settings.request import Request
from ui.settings.schema import MOST_COLUMNS

ANSWER = 0
"""Instead of a step: the answer of the run."""


def loaded(history: History, owner: Owner, run: Summary) -> SavedRun | None:
    """The whole run, from memory until it goes on; None if it was deleted in the meantime."""
    found: SavedRun | None = workspace.current().remembered(
        "saved run", key(run), lambda: load(history, owner, run.id)
    )
    return None if found is None else replace(found, summary=run)


def key(run: Summary) -> tuple[object, ...]:
    """What is different once the run has gone on."""
    return run.id, run.state, run.ended, run.calls


def open_at(run: SavedRun, step: int) -> None:
    """Show the run in the Playground, which gets its settings; steps are counted from 1."""
    _show(run)
    view = {} if step == ANSWER else {"view": "steps", keys.STEP: str(step)}
    st.switch_page("app.py", query_params=workspace.address(**view))


def resume(run: SavedRun) -> None:
    """Show the run in the Playground and let it go on: only calls without an answer are sent.

    A run whose API key is gone, or with whose settings nothing can be sent, is only shown; the
    Playground asks for what is missing.
    """
    job = _show(run)
    asks = start.key_gone(job, state.current()) or hosts.why_not(state.current())
    if job.trace is not None and not asks:
        start.resume(job, job.trace)
    st.switch_page("app.py", query_params=workspace.address())


def _show(run: SavedRun) -> Job:
    """Show the run with its settings.

    The Playground has the chunks of the run alone, in the order in which they were sent.
    """
    request = run.request.with_own_chunk_list()
    handover.put_run(request, short(title(run.summary), LONGEST_TITLE))
    job = start.reopened(replace(run, request=request))
    # What the Playground can't set, such as the price of that day, makes its answer no older.
    st.session_state[keys.LOOKED_AT] = Request.of(state.current())
    start.show_earlier(job)
    return job


_SIDES = 2  # runs that can stand side by side


def draw(history: History, owner: Owner, runs: Sequence[Summary], local: tzinfo) -> None:
    """Draw the runs in short, and what can be done with them."""
    small(f"{len(runs):,} runs are ticked.")
    for name, named in groupby(runs[:MOST_COLUMNS], title):
        run_words.draw_title(name)
        for run in named:
            small(f"{run.mode}, {when(run.started, local)}: {spent(run)}.")
    if len(runs) > MOST_COLUMNS:
        small(
            f"and {len(runs) - MOST_COLUMNS:,} more. Two can stand side by side, and up to"
            f" {MOST_COLUMNS} in Compare."
        )
    else:
        _ways(history, owner, list(reversed(runs)))
    actions.delete(history, owner, runs)


def _ways(history: History, owner: Owner, runs: Sequence[Summary]) -> None:
    """The buttons that show the runs together, the earliest first."""
    with st.container(horizontal=True, key="several_ways"):
        if len(runs) == _SIDES:
            st.button(
                "Compare the two",
                type="primary",
                icon=":material/compare_arrows:",
                on_click=_side_by_side,
                args=([run.id for run in runs],),
                key="compare_two",
            )
        opened = st.button(
            "Open in Compare",
            type="secondary" if len(runs) == _SIDES else "primary",
            icon=":material/view_column:",
            help="Each run becomes a column with its answers. Nothing is sent.",
            key="open_in_compare",
        )
    if opened:
        _open(history, owner, runs)


def _side_by_side(ids: list[str]) -> None:
    st.session_state[keys.TWO_RUNS] = ids
    st.rerun()


def _open(history: History, owner: Owner, runs: Sequence[Summary]) -> None:
    """Show the runs in Compare, or say why they can't be its columns."""
    try:
        found = [loaded(history, owner, run) for run in runs]
    except SynthError as problem:
        error_box("One of these runs can't be opened.", str(problem))
        return
    whole = [run for run in found if run is not None]
    reason = why_not(whole) if len(whole) == len(runs) else "One of them was deleted."
    if reason is not None:
        error_box("These runs can't be columns of Compare.", reason)
        return
    handover.put_run(whole[0].request, short(title(whole[0].summary), LONGEST_TITLE))
    handover.displace_columns()
    st.session_state[keys.RUNS_TO_COMPARE] = whole
    st.switch_page("pages/compare.py", query_params=workspace.address())


def why_not(runs: Sequence[SavedRun]) -> str | None:
    """Why these runs can't be columns, which share a question and chunks; None if they can."""
    requests = [run.request for run in runs]
    if any(run.summary.state == "running" for run in runs):
        return "One of them still goes on: wait for its end."
    if len({request.query_str for request in requests}) > 1:
        return "Their questions differ, and Compare asks all columns the same."
    if len({request.text_chunks for request in requests}) > 1:
        return "Their chunks differ, or stand in another order, and Compare gives all the same."
    if question_set.questions() or workspace.current().values.get(keys.QUESTIONS, "").strip():
        return "Compare has a list of questions now: remove it there, under “Edit columns”."
    return None
