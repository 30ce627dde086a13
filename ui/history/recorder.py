"""A run is saved as it happens: its request when it begins, each call when it ends.

What could not be saved waits in memory and is tried again, so a short trouble of the database
loses nothing. A run never ends because it can't be saved.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from sqlalchemy import Connection

from synth.calls import CallRecord, prompt_hash
from synth.events import NOTHING_SPENT, Spent
from synth.trace import Trace
from ui.history import history as opened
from ui.history.history import History
from ui.history.problems import HistoryError
from ui.history.run_rows import (
    Attempt,
    NewRun,
    SupersededError,
    end_run,
    insert_run,
    take_over,
    update_run,
    write_call,
)

_AGAIN_AFTER = 30.0  # seconds


class Recorder:
    """Saves one run, in the thread that calls it.

    `run` is the id of the saved run that goes on, and of this run once it has begun; None if it
    is not saved. `edited` are the numbers of the calls whose answers a person wrote, `spent` is
    what was spent before. `problem` says why the latest part is not saved.
    """

    def __init__(
        self,
        new: NewRun,
        run: str | None = None,
        edited: frozenset[int] = frozenset(),
        spent: Spent = NOTHING_SPENT,
    ) -> None:
        self.run = run
        self.problem: HistoryError | None = None
        self._new = new
        self._edited = edited
        self._spent = spent
        self._attempt: Attempt | None = None
        self._began = 0.0
        self._unsaved: dict[int, CallRecord] = {}
        self._taken: set[int] = set()
        self._superseded = False
        self._failed_at: float | None = None

    def begin(self) -> None:
        """Save what the run is asked, or take over the saved run that goes on."""
        self._began = monotonic()
        self._save()

    def take(self, call: CallRecord) -> None:
        """Save a call that has ended."""
        self._add(call)
        if self._failed_at is None or monotonic() > self._failed_at + _AGAIN_AFTER:
            self._save()

    def end(self, trace: Trace | None, problem: str | None) -> None:
        """Save the end of the run, and the calls that ended with it."""
        for call in () if trace is None else trace.calls:
            if call.number not in self._taken:
                self._add(call)
        query = self._new.request.query
        self._save(lambda connection, attempt: end_run(connection, attempt, query, trace, problem))

    def _add(self, call: CallRecord) -> None:
        self._taken.add(call.number)
        self._unsaved[call.number] = call
        if not call.replayed:
            self._spent = Spent(*map(sum, zip(self._spent, call.spent, strict=True)))

    def _save(self, more: Callable[[Connection, Attempt], None] | None = None) -> None:
        """Save in one transaction what is not saved yet, and `more`."""
        if self._superseded:
            return
        try:
            history = opened.history()
            if isinstance(history, HistoryError):
                raise history
            with history.write() as connection:
                attempt = self._attempt or self._started(connection, history)
                update_run(connection, attempt, self._totals(attempt))
                for call in self._unsaved.values():
                    write_call(connection, attempt, call, call.number in self._edited)
                if more is not None:
                    more(connection, attempt)
        except HistoryError as problem:
            self._fail(problem)
        except ValueError as error:  # a custom mode's call that is no JSON
            self._fail(HistoryError(f"This run can't be saved: {error}."))
        except SupersededError:
            self._superseded = True
        else:
            self._attempt, self.run = attempt, attempt.run
            attempt.stored.update(self._hashes())
            self._unsaved.clear()
            self.problem = self._failed_at = None

    def _fail(self, problem: HistoryError) -> None:
        self.problem, self._failed_at = problem, monotonic()

    def _started(self, connection: Connection, history: History) -> Attempt:
        """The next attempt of the run that goes on; of a new run if that can't be had."""
        attempt = None if self.run is None else take_over(connection, history, self.run)
        return attempt or insert_run(connection, history.presence.id, self._new)

    def _hashes(self) -> dict[int, str]:
        return {number: prompt_hash(call.prompt) for number, call in self._unsaved.items()}

    def _totals(self, attempt: Attempt) -> dict[str, Any]:
        model, spent = self._new.request.model, self._spent
        price = None if model.price is None else model.price.of(*spent[1:])
        return {
            "calls": attempt.count_with(self._unsaved),
            "requests": spent.calls,
            "prompt_tokens": spent.prompt_tokens,
            "output_tokens": spent.output_tokens,
            "dollars": 0.0 if model.free else price,
            "seconds": attempt.seconds + monotonic() - self._began,
        }
