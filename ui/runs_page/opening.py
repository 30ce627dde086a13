"""A saved run opened in the Playground: at its answer, at a step, or to go on from there."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from synth.text.wording import short
from ui.controls import handover
from ui.history.history import History
from ui.history.saved_run import SavedRun, load
from ui.history.summaries import Owner
from ui.history.tables import Summary
from ui.runs import start
from ui.runs.job import Job
from ui.runs_page.words import LONGEST_TITLE, title
from ui.session import keys, workspace
from ui.settings import hosts, state
from ui.settings.request import Request

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


def open_at(run: SavedRun, step: int = ANSWER) -> None:
    """Show the run in the Playground, which gets its settings; steps are counted from 1."""
    _show(run)
    view = {} if step == ANSWER else {"view": "steps", keys.STEP: str(step)}
    st.switch_page("app.py", query_params=workspace.address(**view))


def resume(run: SavedRun) -> None:
    """Show the run in the Playground and let it go on: only calls without an answer are sent.

    A run whose API key is gone, or whose host was not chosen in this session, is only shown; the
    Playground asks for them.
    """
    job = _show(run)
    asks = start.key_gone(job, state.current()) or hosts.unconfirmed([state.current()])
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
    for name in (keys.VIEW, keys.VIEW_EMPTY, keys.STEP, keys.PLAN_FIRST):
        st.session_state.pop(name, None)
    # What the Playground can't set, such as the price of that day, makes its answer no older.
    st.session_state[keys.LOOKED_AT] = Request.of(state.current())
    start.show(job)
    return job
