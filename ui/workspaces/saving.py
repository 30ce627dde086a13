"""Workspaces are saved while people work, by a thread that looks every two seconds.

It also tries again to save what the database refused, and forgets what nobody looks at. What can't
be saved stays in memory, and the page says so. A server that is stopped saves once more, and ends
after ten to twenty seconds where the database still refuses.
"""

import atexit
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep
from typing import Any

import streamlit as st

from synth.errors import SynthError
from ui.look.elements import box, when, zone
from ui.session import workspace
from ui.session.workspace import Holding, Registry, Workspace
from ui.store import runs as saved_runs
from ui.store.store import DEFECT, Database, Store, StoreError, Waiting, current_store
from ui.workspaces.files import select_saved, to_json

_EVERY = 2.0  # seconds
_LAST_SECONDS = 10.0  # for which a server that ends goes on trying
_log = logging.getLogger(__name__)


class Edits(Holding, Waiting):
    """Saves the values of a workspace: `saved` are those in the database, by name."""

    def __init__(self) -> None:
        super().__init__()
        self.values: Mapping[str, Any] = {}
        self.saved: Mapping[str, Any] = {}

    @property
    def busy(self) -> bool:
        """Whether some are not saved, so that the workspace must stay."""
        return self.since is not None

    def write(self, database: Database) -> None:
        """Save the values as they are now."""
        values = self.values
        saved_runs.save_workspace(database, self.workspace, to_json(values))
        self.saved = values

    def describe(self, since: str) -> str:
        """Say since when edits are not saved."""
        return f"your edits since {since}"


class Saver:
    """Saves what changed in workspaces, and what waits; `problem` is why it could not even try."""

    def __init__(self, registry: Registry, store: Store) -> None:
        self.problem: SynthError | None = None
        self._registry, self._store = registry, store
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._go_on, daemon=True)

    def start(self) -> None:
        """Save every two seconds, in a thread of its own, and when the process ends."""
        self._thread.start()
        atexit.register(self.finish)

    def _go_on(self) -> None:
        while not self._ended.wait(_EVERY):
            self.turn()

    def end(self) -> None:
        """Save no more, and not when the process ends; what goes on is over afterwards."""
        atexit.unregister(self.finish)
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def note(self, space: Workspace) -> None:
        """Take what a workspace holds as saved."""
        space.holding(Edits).saved = select_saved(space.values.copy())

    def save(self) -> bool:
        """Save what has changed since it was saved last; return whether all is saved now."""
        for space in self._registry.all():
            self.save_space(space)
        return not any(space.holding(Edits).since for space in self._registry.all())

    def save_space(self, space: Workspace) -> None:
        """Save a workspace if it has changed since it was saved last."""
        edits = space.holding(Edits)
        values = select_saved(space.values.copy())
        # Values are replaced, never changed, so most are compared by identity.
        if values != (edits.saved if edits.since is None else edits.values):
            edits.workspace, edits.values = space.id, values
            self._store.save(edits)

    def turn(self) -> bool:
        """Try what waits, and save the workspaces; return whether all is saved."""
        try:
            done = [self._store.retry(), self.save()]
            self._registry.forget_idle()
        except Exception as error:  # it must not end: nothing would be saved any more
            _log.exception("Workspaces can't be saved.")
            self.problem = SynthError(DEFECT.format(f"{type(error).__name__}: {error}"))
            return False
        self.problem = None
        return all(done)

    def finish(self) -> None:
        """Save all before the process ends; what the database refuses for ten seconds is lost."""
        end = monotonic() + _LAST_SECONDS
        while not self.turn():
            if monotonic() > end:
                for item in list(self._store.waiting):
                    _log.error("Lost is %s: %s", item.describe(""), self._store.problem)
                return
            sleep(_LAST_SECONDS / 20)


@st.cache_resource(show_spinner=False, on_release=Saver.end)
def saver() -> Saver:
    """Return the saver of this server."""
    made = Saver(workspace.registry(), current_store())
    made.start()
    return made


_LOOK_EVERY = 2.0  # seconds
_SAID_AFTER = 1.0  # seconds for which something is not saved
_MOST_NAMED = 3
_AGAIN = "It is tried again every few seconds: leave the server running until this box is gone."


def draw_notice() -> None:
    """Draw what is not saved; while a run goes on, look again and again."""
    space = workspace.current()
    if space.busy or current_store().find_unsaved(space.id):
        st.fragment(_draw, run_every=_LOOK_EVERY)()
    else:
        _draw()


def _draw() -> None:
    if text := unsaved_words(workspace.enter().id):
        box("Not saved yet:", text)


def unsaved_words(id: str) -> str:
    """Say what of a workspace is not saved, since when, and why; "" if all is."""
    store = current_store()
    unsaved = store.find_unsaved(id)
    ages = {item: monotonic() - item.since for item in unsaved if item.since is not None}
    late = [item for item, age in ages.items() if age > _SAID_AFTER]
    problem = saver().problem
    if not late:
        with suppress(StoreError):  # it says so itself where something waits
            problem = problem or store.database().refuses_writing
        return "" if problem is None else str(problem)
    why = problem or store.problem or late[0].defect
    now, local = datetime.now(UTC), zone()
    what = [
        item.describe(when(now - timedelta(seconds=ages[item]), local))
        for item in late[:_MOST_NAMED]
    ]
    if len(late) > _MOST_NAMED:
        what.append(f"{len(late) - _MOST_NAMED:,} more")
    return f"{'; '.join(what)}. {why or 'The database has not taken it so far.'} {_AGAIN}"
