"""A run is saved as it happens: each request before it is sent, each call when it ends.

A run never ends because it can't be saved. All its calls stay in memory until it has ended: a
transaction whose end is unknown is done again as a whole, and so is a run whose database was
replaced by another one. What could not be saved waits, and is tried again until it is saved, also
after the run has ended.
"""

import logging
import threading
from time import monotonic, time
from typing import Any, NamedTuple
from uuid import uuid4
from weakref import WeakSet

from sqlalchemy import Connection

from synth.runs.calls import NOTHING_SPENT, CallRecord, Spent, prompt_hash, total
from synth.runs.trace import Trace
from ui.history import history as opened
from ui.history.history import History
from ui.history.problems import HistoryError, UnfitError
from ui.history.run_rows import (
    Attempt,
    End,
    NewRun,
    SupersededError,
    end_run,
    found_again,
    insert_run,
    take_over,
    update_run,
    write_call,
)
from ui.plans.cost import dollars_for

_log = logging.getLogger(__name__)


class _Part(NamedTuple):
    """What one transaction saves, as it was at one moment: after so many `changes` of the run."""

    changes: int
    calls: list[CallRecord]
    spent: Spent
    unsure: int
    seconds: float
    end: End | None


class Recorder:
    """Saves one run: one thread adds to it, and any thread may write what is not saved yet.

    `run` is the id of the saved run that goes on, and of this run once it is saved. `new` says what
    is run, `edited` are the numbers of the calls whose answers a person wrote, `spent` is what was
    spent before. `problem` says why the latest transaction failed, and `hopeless` that none can
    succeed. `since` is when the oldest part that is not saved was added, by `monotonic`.
    """

    def __init__(
        self,
        new: NewRun,
        run: str | None = None,
        edited: frozenset[int] = frozenset(),
        spent: Spent = NOTHING_SPENT,
    ) -> None:
        self.new = new
        self.run = run
        self.problem: HistoryError | None = None
        self.hopeless = False
        self.since: float | None = None
        self._id = new.id or uuid4().hex
        self._edited = edited
        self._spent = spent
        self._started, self._began = time(), monotonic()
        self._calls: dict[int, CallRecord] = {}
        self._reused: set[int] = set()
        self._under_way: dict[int, CallRecord] = {}
        self._unsaved: dict[int, CallRecord] = {}
        self._end: End | None = None
        self._changes = 0
        self._history: History | None = None
        self._attempt: Attempt | None = None
        self._known = False  # whether the database has the attempt, with what is no longer unsaved
        self._lock = threading.Lock()
        self._writing = threading.Lock()

    @property
    def answers(self) -> int:
        """How many answers are not saved."""
        return sum(call.answer is not None for call in self._unsaved.copy().values())

    @property
    def waits(self) -> bool:
        """Whether something is not saved, and can be."""
        return self.since is not None and not self.hopeless

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
        whole = monotonic() - self._began  # of the calls, and of saving them
        seconds = whole if trace is None else trace.seconds
        self._end = End(trace, problem, self._started + whole, seconds)
        self._save()

    def write(self) -> None:
        """Save what is not saved yet in one transaction; nothing if another thread does that."""
        if not self._writing.acquire(blocking=False):
            return
        try:
            if not self.hopeless:
                self._write()
        except UnfitError as problem:
            self._give_up(problem)
        except HistoryError as problem:
            self.problem, self._known = problem, False
        except SupersededError:
            self._give_up(None)
        except Exception as error:  # such as a custom mode's call that is no JSON
            _log.exception("A run can't be saved.")
            said = f"{type(error).__name__}: {error}"
            self._give_up(HistoryError(f"This run can't be saved ({said}): mend the custom mode."))
        finally:
            self._writing.release()

    def give_up(self) -> None:
        """Save nothing more; a transaction that goes on is over afterwards."""
        self._give_up(None)
        with self._writing:
            pass

    def _add(self, call: CallRecord) -> None:
        with self._lock:
            self._under_way.pop(call.number, None)
            if not call.tries:  # it failed before it left
                return
            self._calls[call.number] = self._unsaved[call.number] = call
            if not call.replayed:
                self._spent = total([self._spent, call.spent])
            elif call.number not in self._edited:
                self._reused.add(call.number)

    def _save(self) -> None:
        if self.hopeless:
            return
        with self._lock:
            self._changes += 1
            self.since = self.since or monotonic()
        unsaved.save(self)

    def _write(self) -> None:
        history = opened.history()
        if history is not self._history:
            with self._lock:
                self._history, self._known = history, False
                self._unsaved = self._calls.copy()
        part = self._part()
        with history.write() as connection:
            attempt = self._attempt if self._known else None
            self._attempt = attempt = attempt or self._claimed(connection, history)
            update_run(connection, attempt, self._totals(attempt, part))
            for call in part.calls:
                write_call(connection, attempt, call, call.number in self._edited)
            if part.end is not None:
                end_run(connection, attempt, self.new.request.query_str, part.end)
        self._saved(attempt, part)

    def _part(self) -> _Part:
        with self._lock:
            calls = self._unsaved if self._known else self._calls
            way = list(self._under_way.values())
            longest = Spent(output_tokens=len(way) * self.new.request.num_output)
            spent = total([self._spent, *(call.spent for call in way), longest])
            seconds = monotonic() - self._began if self._end is None else self._end.seconds
            unsure = sum(call.tries for call in way)
            return _Part(self._changes, list(calls.values()), spent, unsure, seconds, self._end)

    def _claimed(self, connection: Connection, history: History) -> Attempt:
        """This attempt if it was saved, else the next one of the run that goes on, or a new run."""
        attempt = None if self._attempt is None else found_again(connection, self._attempt)
        if attempt is None and self.run is not None:
            attempt = take_over(connection, history, self.run)
        process = history.presence.id
        return attempt or insert_run(connection, process, self._id, self.new, self._started)

    def _totals(self, attempt: Attempt, part: _Part) -> dict[str, Any]:
        spent = part.spent
        new = self.new
        lent = {"lent_key": True} if new.lent_key else {}  # and it stays so, whoever pays later
        return lent | {
            "calls": attempt.count_with([call.number for call in part.calls]),
            "reused": attempt.reused + len(self._reused - attempt.earlier),
            "requests": spent.calls,
            "unsure": attempt.unsure + part.unsure,
            "prompt_tokens": spent.prompt_tokens,
            "output_tokens": spent.output_tokens,
            "dollars": dollars_for(new.request.model, spent, new.by_person, new.unpriced),
            "seconds": attempt.seconds + part.seconds,
        }

    def _saved(self, attempt: Attempt, part: _Part) -> None:
        attempt.stored.update((call.number, prompt_hash(call.prompt)) for call in part.calls)
        with self._lock:
            self._attempt, self._known, self.run = attempt, True, attempt.run
            for call in part.calls:
                if self._unsaved.get(call.number) is call:
                    del self._unsaved[call.number]
            self.problem = None
            self.since = None if part.changes == self._changes else monotonic()

    def _give_up(self, problem: HistoryError | None) -> None:
        with self._lock:
            self.problem, self.hopeless = problem, True
            if problem is None:
                self.since = None


class Unsaved:
    """The runs of which something is not saved: those that wait, and those that can't be saved.

    Each run is saved at once by its own thread. Where that fails, the run waits here in the order
    in which the runs began, and the server's thread tries it again every few seconds
    (`ui/kept/saving.py`). As long as one waits so, other runs only take their place behind it: no
    run waits for the database, and what began first is saved first. Those that can't be saved are
    held as long as a page has them. `forgotten` are the workspaces that were deleted here, of whose
    runs nothing is saved.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[Recorder, None] = {}
        self._hopeless: WeakSet[Recorder] = WeakSet()
        self.forgotten: set[str] = set()

    def save(self, run: Recorder) -> None:
        """Save a run now, or later if the database has just refused one."""
        with self._lock:
            forgotten = run.new.workspace in self.forgotten
            if not forgotten:
                self._waiting[run] = None
            refused = any(other.problem is not None for other in self._waiting)
        if forgotten:
            run.give_up()
        elif not refused:
            self._try(run)

    def retry(self) -> bool:
        """Try all that wait, until the database refuses one; whether nothing waits any more."""
        for run in self.all():
            self._try(run)
            if run.problem is not None and not run.hopeless:
                return False
        return not self.all()

    def all(self) -> list[Recorder]:
        """The runs that wait, in the order in which they began."""
        with self._lock:
            return list(self._waiting)

    def of(self, workspace: str) -> list[Recorder]:
        """The runs of a workspace that are not saved."""
        with self._lock:
            runs = [*self._waiting, *self._hopeless]
        return [run for run in runs if run.new.workspace == workspace]

    def forget(self, workspace: str) -> None:
        """Save nothing more of the runs of a workspace, which was deleted."""
        with self._lock:
            self.forgotten.add(workspace)
        for run in self.of(workspace):
            run.give_up()
            with self._lock:
                self._waiting.pop(run, None)

    def _try(self, run: Recorder) -> None:
        run.write()
        with self._lock:
            if not run.waits:
                self._waiting.pop(run, None)
            if run.hopeless and run.problem is not None:
                self._hopeless.add(run)


unsaved = Unsaved()
"""Those of this server."""
