"""Workspaces are saved while people work.

A thread compares the workspaces every two seconds with what it saved of them, so that drawing
waits for nothing. It also tries again to save the runs that the database refused. What can't be
saved stays in memory until it is; the page says so. A server that is stopped saves
once more, and ends after ten to twenty seconds where the database still refuses; one that is killed
can lose two seconds of edits, and what the page said is not saved.
"""

import atexit
import logging
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep
from typing import Any

import streamlit as st

from synth.errors import SynthError
from synth.text.wording import counted, short
from ui.clock import Clock
from ui.history import history as opened
from ui.history import workspaces
from ui.history.problems import HistoryError, UnfitError
from ui.history.recorder import Recorder, unsaved
from ui.kept.values import kept, renamed, to_json
from ui.look.elements import box, when, zone
from ui.session import workspace
from ui.session.workspace import Holding, Registry, Workspace

_EVERY = 2.0  # seconds
_LAST_SECONDS = 10.0  # for which a server that ends goes on trying
_NOTHING: Mapping[str, Any] = {}
_log = logging.getLogger(__name__)


class Refused(Holding):
    """Why the values of a workspace are not saved, and since when by `monotonic`."""

    def __init__(self) -> None:
        self.problem: SynthError | None = None
        self.since = 0.0

    @property
    def busy(self) -> bool:
        """Whether there are such values, so that the workspace must stay."""
        return self.problem is not None

    def note(self, problem: SynthError | None) -> None:
        """Take the problem of the latest attempt; None if all is saved."""
        if self.problem is None:
            self.since = monotonic()
        self.problem = problem


class Saver:
    """Saves what has changed in the workspaces of a registry, and the runs that wait for it.

    `problem` says why it could not even try; `lock` is held while they are saved.
    """

    def __init__(self, registry: Registry) -> None:
        self.problem: SynthError | None = None
        self._registry = registry
        self.lock = threading.Lock()
        self._saved: dict[str, Mapping[str, Any]] = {}
        self._clock: Clock | None = None

    def start(self) -> None:
        """Save every two seconds, in a thread of its own, and when the process ends."""
        self._clock = Clock(_EVERY, self._turn)
        atexit.register(self.finish)

    def end(self) -> None:
        """Save no more, and not when the process ends."""
        atexit.unregister(self.finish)
        if self._clock is not None:
            self._clock.end()

    def note(self, space: Workspace, names: Collection[str]) -> None:
        """Take what a workspace holds as saved, under these names.

        What an older program saved under another name is saved anew, and forgotten there.
        """
        values = kept(space.values.copy())
        older = (name for name in names if renamed(name) != name)
        self._saved[space.id] = {
            **{name: value for name, value in values.items() if name in names},
            **dict.fromkeys(older),
        }

    def has_saved(self, space: Workspace) -> bool:
        """Whether the workspace as it is now is in the database."""
        return self._saved.get(space.id, _NOTHING) == kept(space.values.copy())

    def save(self) -> bool:
        """Save what has changed since it was saved last; whether all of it is saved now."""
        with self.lock:
            spaces = self._registry.all()
            for gone in self._saved.keys() - {space.id for space in spaces}:
                del self._saved[gone]
            down = None
            for space in spaces:
                problem = self._problem(space, down)
                space.holding(Refused).note(problem)
                if isinstance(problem, HistoryError) and not isinstance(problem, UnfitError):
                    down = problem  # each further attempt would wait as long
        return not any(space.holding(Refused).busy for space in spaces)

    def finish(self) -> None:
        """Save all before the process ends; what the database refuses for ten seconds is lost."""
        end = monotonic() + _LAST_SECONDS
        while not self._turn():
            if monotonic() > end:
                for run in unsaved.all():
                    _log.error("%s is lost: %s", run.new.request.query_str, run.problem)
                return
            sleep(_LAST_SECONDS / 20)

    def _problem(self, space: Workspace, down: SynthError | None) -> SynthError | None:
        """Save what has changed in a workspace; returns what keeps it from being saved."""
        try:
            values = kept(space.values.copy())
            before = self._saved.get(space.id, _NOTHING)
            # Values are replaced, never changed, so most are compared by identity.
            if values == before:
                return None
            if down is None:
                self._save(space.id, before, values)
        except SynthError as problem:
            return problem
        except Exception as error:
            return _defect(error)
        return down

    def _save(self, id: str, before: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        nothing = object()
        changed = {
            name: value for name, value in values.items() if before.get(name, nothing) != value
        }
        gone = before.keys() - values.keys()
        workspaces.save(opened.history(), id, to_json(changed), gone)
        self._saved[id] = values

    def _turn(self) -> bool:
        """Try the runs that wait, and save the workspaces; whether all is saved."""
        try:
            done = [unsaved.retry(), self.save()]
        except Exception as error:  # it must not end: nothing would be saved any more
            self.problem = _defect(error)
            return False
        self.problem = None
        return all(done)


def _defect(error: Exception) -> SynthError:
    _log.error("Workspaces can't be saved.", exc_info=error)
    said = f"{type(error).__name__}: {error}"
    return SynthError(f"Saving failed ({said}): the log of the server says where. Report it.")


@st.cache_resource(show_spinner=False, on_release=Saver.end)
def saver() -> Saver:
    """The saver of this server."""
    made = Saver(workspace.registry())
    made.start()
    return made


_LOOK_EVERY = 2.0  # seconds
_SAID_AFTER = 1.0  # seconds for which something is not saved
_MOST_RUNS = 3  # that are named
_LONGEST_QUESTION = 60  # characters
_AGAIN = "It is tried again every few seconds: leave the server running until this box is gone."


def draw_notice() -> None:
    """Draw what is not saved; while a run goes on, look again and again."""
    space = workspace.current()
    if space.busy or unsaved.of(space.id):
        st.fragment(_draw, run_every=_LOOK_EVERY)()
    else:
        _draw()


def _draw() -> None:
    space = workspace.enter()
    if text := unsaved_words(unsaved.of(space.id), space.holding(Refused), saver().problem):
        box("Not saved yet:", text)


def unsaved_words(runs: Sequence[Recorder], edits: Refused, problem: SynthError | None) -> str:
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
