"""The runs of this server of which something is not saved, until it is.

Each run is saved at once by its own thread. Where that fails, the run waits here in the order in
which the runs began, and the server's thread tries it again every few seconds
(`ui/kept/saving.py`). As long as one waits so, other runs only take their place behind it: no run
waits for the database, and what began first is saved first.
"""

from __future__ import annotations

import threading
from weakref import WeakSet

from ui.history.unsaved_run import UnsavedRun


class Unsaved:
    """The runs that wait, and those that can't be saved, as long as a page has them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[UnsavedRun, None] = {}
        self._hopeless: WeakSet[UnsavedRun] = WeakSet()

    def save(self, run: UnsavedRun) -> None:
        """Save a run now, or later if the database has just refused one."""
        with self._lock:
            self._waiting[run] = None
            refused = any(other.problem is not None for other in self._waiting)
        if not refused:
            self._try(run)

    def retry(self) -> bool:
        """Try all that wait, until the database refuses one; whether nothing waits any more."""
        for run in self.all():
            self._try(run)
            if run.problem is not None and not run.hopeless:
                return False
        return not self.all()

    def all(self) -> list[UnsavedRun]:
        """The runs that wait, in the order in which they began."""
        with self._lock:
            return list(self._waiting)

    def of(self, workspace: str) -> list[UnsavedRun]:
        """The runs of a workspace that are not saved."""
        with self._lock:
            runs = [*self._waiting, *self._hopeless]
        return [run for run in runs if run.new.workspace == workspace]

    def _try(self, run: UnsavedRun) -> None:
        run.write()
        with self._lock:
            if not run.waits:
                self._waiting.pop(run, None)
            if run.hopeless and run.problem is not None:
                self._hopeless.add(run)


unsaved = Unsaved()
"""Those of this server."""
