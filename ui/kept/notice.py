"""What of a workspace is not saved: said on each of its pages until it is."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic

import streamlit as st

from synth.errors import SynthError
from synth.text.wording import counted, short
from ui.history.recorder import Recorder, unsaved
from ui.kept.saving import Refused, saver
from ui.look.elements import box, when, zone
from ui.session import workspace

_LOOK_EVERY = 2.0  # seconds
_SAID_AFTER = 1.0  # seconds for which something is not saved
_MOST_RUNS = 3  # that are named
_LONGEST_QUESTION = 60  # characters
_AGAIN = "It is tried again every few seconds: leave the server running until this box is gone."


def draw() -> None:
    """Draw what is not saved; while a run goes on, look again and again."""
    space = workspace.current()
    if space.busy or unsaved.of(space.id):
        st.fragment(_draw, run_every=_LOOK_EVERY)()
    else:
        _draw()


def _draw() -> None:
    space = workspace.enter()
    if text := said(unsaved.of(space.id), space.holding(Refused), saver().problem):
        box("Not saved yet:", text)


def said(runs: Sequence[Recorder], edits: Refused, problem: SynthError | None) -> str:
    """What is not saved, since when, and why; "" if all is, or has been refused for a moment only.

    `problem` keeps the server from saving anything.
    """
    runs = [run for run in runs if _late(run)]
    what = [_run(run) for run in runs[:_MOST_RUNS]]
    if len(runs) > _MOST_RUNS:
        what.append(counted(len(runs) - _MOST_RUNS, "more run"))
    if edits.busy:
        what.append(f"your edits since {_since(edits.since)}")
    problems = [run.problem for run in runs] + [edits.problem, problem]
    why = [*dict.fromkeys(str(problem) for problem in problems if problem is not None)]
    if runs and not why:
        why = ["The database has not taken it so far."]
    again = [_AGAIN] if edits.busy or any(run.waits for run in runs) else []
    return " ".join([*_listed(what), *why, *again])


def _late(run: Recorder) -> bool:
    since = run.since
    return since is not None and monotonic() - since > _SAID_AFTER


def _run(run: Recorder) -> str:
    question = short(run.new.request.query_str, _LONGEST_QUESTION)
    since = _since(run.since or monotonic())
    return f"the run “{question}” with {counted(run.answers, 'answer')}, since {since}"


def _since(moment: float) -> str:
    return when(datetime.now(UTC) - timedelta(seconds=monotonic() - moment), zone())


def _listed(what: Sequence[str]) -> Iterator[str]:
    if what:
        yield "; ".join(what) + "."
