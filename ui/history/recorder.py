"""A run is saved as it happens: each request before it is sent, each call when it ends.

A run never ends because it can't be saved. What could not be saved waits in memory, and is tried
again until it is saved (`unsaved.py`), also after the run has ended.
"""

from __future__ import annotations

from time import monotonic, time

from synth.calls import CallRecord, total
from synth.trace import Trace
from ui.history.run_rows import End
from ui.history.unsaved import unsaved
from ui.history.unsaved_run import UnsavedRun, spent_on


class Recorder(UnsavedRun):
    """Saves one run, in the thread that calls it, or later where the database is in trouble."""

    def begin(self) -> None:
        """Save what the run is asked, or take over the saved run that goes on."""
        self._started, self._began = time(), monotonic()
        self._save()

    def sending(self, call: CallRecord) -> None:
        """Save that a request of a call is sent next, at its first or when it is sent again.

        One that costs nothing is counted when it is answered: it would take as long to save it.
        """
        if not call.replayed and not self.new.request.model.free:
            self._under_way[call.number] = call
            self._save()

    def take(self, call: CallRecord) -> None:
        """Save a call that has ended."""
        self._add(call)
        self._save()

    def end(self, trace: Trace | None, problem: str | None) -> None:
        """Save the end of the run, and the calls that ended with it."""
        for call in () if trace is None else trace.calls:
            if call.number not in self._calls:
                self._add(call)
        seconds = monotonic() - self._began
        self._end = End(trace, problem, self._started + seconds, seconds)
        self._save()

    def _add(self, call: CallRecord) -> None:
        with self._lock:
            self._under_way.pop(call.number, None)
            self._calls[call.number] = self._unsaved[call.number] = call
            self._spent = total([self._spent, spent_on(call)])

    def _save(self) -> None:
        if self.hopeless:
            return
        with self._lock:
            self._changes += 1
            self.since = self.since or monotonic()
        unsaved.save(self)
