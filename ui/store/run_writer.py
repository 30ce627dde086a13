"""Saves one run as it happens: each request before it is sent, each call when it ends.

Its calls stay in memory until it has ended: a transaction whose end is unknown is done again, and
where another database has taken the place of one, the run is saved there as a whole.
"""

from dataclasses import replace
from datetime import UTC, datetime
from time import monotonic, time
from typing import Any

import sqlalchemy as sa

from synth.export.calls import call_to_json, trace_to_json
from synth.runs.calls import CallRecord, Spent, total
from synth.runs.trace import Trace
from synth.text.wording import counted, short
from ui.plans.cost import dollars_for
from ui.settings.request import Request
from ui.store.database import NOW, Database
from ui.store.run_json import (
    column_text,
    digest,
    join_notes,
    packed,
    request_to_json,
)
from ui.store.store import Waiting, current_store
from ui.store.tables import ANSWER, IN_COLUMNS, RUN, RUNNING, RunInfo, State, next_moment

GOES_ON = (
    "This run goes on at another server: wait for its end, or stop it there. Nothing was sent."
)
_LONGEST_QUESTION = 60  # characters
_CHANGING = (
    *("state", "ended", "seconds", "calls", "reused", "requests", "unsure"),
    *("prompt_tokens", "output_tokens", "dollars", "answer", "problem"),
)
"""The columns that change while a run goes on."""

# Made once: building a statement costs more than SQLite takes to carry it out.
_INSERT_ANSWER = sa.insert(ANSWER)
_UPDATE = sa.update(RUN).where(
    RUN.c.id == sa.bindparam("own"), RUN.c.attempt == sa.bindparam("own_attempt")
)


class RunWriter(Waiting):
    """Saves one run: one thread adds to it, and any thread may write what is not saved yet.

    With the `earlier` trace of a saved run, that run goes on, unless another server runs it
    (`elsewhere`).
    """

    defect = "This run can't be saved ({}): mend the custom mode."

    def __init__(self, info: RunInfo, request: Request, earlier: Trace | None = None) -> None:
        super().__init__(info.workspace)
        model = request.model
        self.request = request
        self.elsewhere = False
        self._info = replace(
            info,
            state=RUNNING,
            ended=None,
            problem=None,
            mode=column_text(request.mode),
            behaviour=request.behaviour,
            model=column_text(model.name or model.kind),
            question=column_text(request.query_str),
            name=column_text(info.name),
            note=column_text(info.note),
        )
        self._earlier = earlier
        self._calls = [] if earlier is None else [*earlier.calls]
        self._there = {call.number: call for call in self._calls}
        self._before = 0.0 if earlier is None else earlier.seconds
        self._taken: set[int] = set()
        self._under_way: dict[int, CallRecord] = {}
        self._end: dict[str, Any] | None = None
        self._started, self._began = time(), monotonic()
        self._database: Database | None = None  # that has the run, with so many of its calls
        self._saved = 0
        self._attempt = 1 if earlier is None else 0

    @property
    def run(self) -> str | None:
        """The id of the run once it is saved."""
        there = self._earlier is not None or self._database is not None
        return self._info.id if there else None

    @property
    def info(self) -> RunInfo:
        """What is to be saved now: with what is under way, as if it got the longest answers."""
        way = list(self._under_way.values())
        longest = Spent(output_tokens=len(way) * self.request.num_output)
        spent = total([self._info.spent, *(call.spent for call in way), longest])
        seconds = self._before + monotonic() - self._began
        info = self._info.with_spent(spent)
        return replace(
            info,
            calls=len(self._there.keys() | self._taken),
            unsure=info.unsure + sum(call.tries for call in way),
            dollars=dollars_for(self.request.model, spent, info.by_person, info.unpriced),
            seconds=seconds if self._end is None else info.seconds,
        )

    def begin(self) -> None:
        """Save what the run is asked, or take over the saved run that goes on."""
        self._started, self._began = time(), monotonic()
        if self._earlier is None:
            started = datetime.fromtimestamp(self._started, UTC)
            self._info = replace(self._info, started=started)
        current_store().save(self)

    def sending(self, call: CallRecord) -> None:
        """Save that a request is sent next; one that costs nothing waits for its answer."""
        if not call.replayed and not self.request.model.free:
            self._under_way[call.number] = call
            current_store().save(self)

    def take(self, call: CallRecord) -> None:
        """Save a call that has ended."""
        self._add(call)
        current_store().save(self)

    def end(self, trace: Trace) -> None:
        """Save the end of the run, and the calls that ended with it."""
        for call in trace.calls:
            if call.number not in self._taken:
                self._add(call)
        seconds = self._before + trace.seconds
        state: State = "stopped" if trace.stopped else "failed"
        ended = self._started + monotonic() - self._began  # with the time that saving took
        with self.lock:
            self._end = trace_to_json(replace(trace, calls=(), seconds=seconds))
            self._info = replace(
                self._info,
                state=state if trace.response is None else "done",
                ended=datetime.fromtimestamp(ended, UTC),
                seconds=seconds,
                answer=column_text(trace.response or ""),
                problem=None if trace.error is None else column_text(trace.error),
            )
        current_store().save(self)

    def describe(self, since: str) -> str:
        """Say which run is not saved since then, and how many of its answers."""
        question = short(self.request.query_str, _LONGEST_QUESTION)
        answers = sum(call.answer is not None for call in self._calls[self._saved :])
        return f"the run “{question}” with {counted(answers, 'answer')}, since {since}"

    def _add(self, call: CallRecord) -> None:
        with self.lock:
            self._under_way.pop(call.number, None)
            if not call.tries:  # it failed before it left
                return
            self._taken.add(call.number)
            whole = call if self._earlier is None else self._earlier.join(call)
            if whole is not self._there.get(call.number):
                self._calls.append(whole)
            info = self._info
            if not call.replayed:
                self._info = info.with_spent(total([info.spent, call.spent]))
            elif call.number not in info.edited | self._there.keys():
                self._info = replace(info, reused=info.reused + 1)

    def write(self, database: Database) -> None:
        """Save what is not saved yet, in one transaction."""
        with self.lock:
            info = self.info
            end = self._end
            count = len(self._calls)
        values = {name: getattr(info, name) for name in _CHANGING}
        if end is not None:
            values |= {"body": self._body(end), "searched": _searched(info)}
        with database.write() as connection:
            start = self._saved
            if database is not self._database:
                start = self._claim(connection, database, info)
            calls = self._calls[start:count]
            own = {"own": info.id, "own_attempt": self._attempt}
            if not connection.execute(_UPDATE, values | own).rowcount:
                if connection.scalar(sa.select(RUN.c.id).where(RUN.c.id == info.id)) is None:
                    self.give_up(None)  # it was deleted, with its workspace
                    return
                # A later attempt writes the run: what is answered here was paid for all the same.
                known = sa.select(ANSWER.c.number).where(ANSWER.c.run == info.id)
                answered = set(connection.scalars(known))
                calls = [
                    call
                    for call in calls
                    if call.answer is not None and call.number not in answered
                ]
            rows = [
                {"run": info.id, "number": call.number, "body": packed(call_to_json(call))}
                for call in calls
            ]
            if rows:
                connection.execute(_INSERT_ANSWER, rows)
        self._database, self._saved = database, count

    def _claim(self, connection: sa.Connection, database: Database, info: RunInfo) -> int:
        """Insert the run, or take it over; return how many of its calls are there already."""
        there = 0 if self._earlier is None else len(self._earlier.calls)
        lives = database.living(connection).label("lives")
        chosen = sa.select(RUN.c.attempt, RUN.c.server, lives).where(RUN.c.id == info.id)
        row = connection.execute(chosen.with_for_update()).one_or_none()
        if row is None:
            self._attempt = 1 if self._earlier is None else 2
            self._insert(connection, replace(info, server=database.server))
            return 0
        if self._attempt and row.attempt >= self._attempt:  # it is saved, or a later one writes
            return there
        if row.lives and row.server != database.server:
            self.elsewhere = True
            return there
        self._attempt = row.attempt + 1
        own = {"attempt": self._attempt, "server": database.server, "alive": NOW}
        connection.execute(sa.update(RUN).where(RUN.c.id == info.id).values(**own))
        return there

    def _insert(self, connection: sa.Connection, info: RunInfo) -> None:
        chunks = packed(self.request.text_chunks)
        row = {name: getattr(info, name) for name in IN_COLUMNS} | {
            "attempt": self._attempt,
            "moment": next_moment(connection),
            "searched": _searched(info),
            "searched_notes": join_notes(info.name, info.note),
            "digest": digest(chunks),
            "body": self._body(self._end),
            "chunks": chunks,
        }
        connection.execute(sa.insert(RUN).values(alive=NOW), row)

    def _body(self, end: dict[str, Any] | None) -> bytes:
        request = request_to_json(replace(self.request, text_chunks=())) | {"text_chunks": None}
        return packed({"request": request, "edited": sorted(self._info.edited), "end": end})


def _searched(info: RunInfo) -> str:
    return f"{info.question}\n{info.answer}".casefold()
