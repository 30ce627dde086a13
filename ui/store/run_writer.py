"""Saves one run as it happens: each request before it is sent, each call when it ends.

Its calls stay in memory until it has ended: a transaction whose end is unknown is done again, and
where another database has taken the place of one, the run is saved there as a whole.
"""

from collections.abc import Iterable
from dataclasses import replace
from time import time
from typing import Any, NamedTuple

import sqlalchemy as sa

from synth.export.calls import call_to_json, trace_to_json
from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import counted, short
from ui.settings.request import Request
from ui.store.database import NOW, Database
from ui.store.run_json import column_text, digest, packed, request_to_json
from ui.store.store import Waiting, current_store
from ui.store.tables import ANSWER, IN_COLUMNS, RUN, RunInfo

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


class _Call(NamedTuple):
    """A call that has ended, as it is stored."""

    number: int
    is_answered: bool
    body: bytes


class RunWriter(Waiting):
    """Saves one run: its job says what has happened, and any thread may write what is not saved.

    With the `earlier` trace of a saved run, that run goes on, unless another server runs it
    (`elsewhere`).
    """

    def __init__(self, info: RunInfo, request: Request, earlier: Trace | None = None) -> None:
        super().__init__(info.workspace)
        self.elsewhere = False
        self._info, self._request = info, request
        self._goes_on = earlier is not None
        self._calls = [] if earlier is None else [*map(_pack, earlier.calls)]
        self._before = len(self._calls)
        self._end: dict[str, Any] | None = None
        self._database: Database | None = None  # that has the run, with so many of its calls
        self._saved = 0
        self._attempt = 0 if self._goes_on else 1

    @property
    def run(self) -> str | None:
        """The id of the run once it is saved."""
        return self._info.id if self._goes_on or self._database is not None else None

    def save(
        self, info: RunInfo, ended: Iterable[CallRecord] = (), end: Trace | None = None
    ) -> None:
        """Save what is known of the run now, the calls that have ended, and how it ended."""
        calls = [*map(_pack, ended)]
        with self.lock:
            self._info = info
            self._calls += calls
            if end is not None:
                self._end = trace_to_json(replace(end, calls=(), seconds=info.seconds))
        current_store().save(self)

    def describe(self, since: str) -> str:
        """Say which run is not saved since then, and how many of its answers."""
        question = short(self._request.query_str, _LONGEST_QUESTION)
        answers = sum(call.is_answered for call in self._calls[self._saved :])
        return f"the run “{question}” with {counted(answers, 'answer')}, since {since}"

    def write(self, database: Database) -> None:
        """Save what is not saved yet, in one transaction."""
        with self.lock:
            info, end, count = self._info, self._end, len(self._calls)
        row = _row_of(info)
        values = {name: row[name] for name in _CHANGING}
        if end is not None:
            values["body"] = self._body(info, end)
        with database.write() as connection:
            start = self._saved
            if database is not self._database:
                start = self._claim(connection, database, info)
            calls = self._calls[start:count]
            own = {"own": info.id, "own_attempt": self._attempt}
            if not connection.execute(_UPDATE, values | own).rowcount:
                if connection.scalar(sa.select(RUN.c.id).where(RUN.c.id == info.id)) is None:
                    return  # it was deleted, with its workspace
                # A later attempt writes the run: what is answered here was paid for all the same.
                known = sa.select(ANSWER.c.number).where(ANSWER.c.run == info.id)
                answered = set(connection.scalars(known))
                calls = [call for call in calls if call.is_answered and call.number not in answered]
            rows = [{"run": info.id, "number": call.number, "body": call.body} for call in calls]
            if rows:
                connection.execute(_INSERT_ANSWER, rows)
        self._database, self._saved = database, count

    def _claim(self, connection: sa.Connection, database: Database, info: RunInfo) -> int:
        """Insert the run, or take it over; return how many of its calls are there already."""
        lives = database.living(connection).label("lives")
        chosen = sa.select(RUN.c.attempt, RUN.c.server, lives).where(RUN.c.id == info.id)
        row = connection.execute(chosen.with_for_update()).one_or_none()
        if row is None:
            self._attempt = 2 if self._goes_on else 1
            self._insert(connection, replace(info, server=database.server))
            return 0
        if self._attempt and row.attempt >= self._attempt:  # it is saved, or a later one writes
            return self._before
        if row.lives and row.server != database.server:
            self.elsewhere = True
            return self._before
        self._attempt = row.attempt + 1
        own = {"attempt": self._attempt, "server": database.server, "alive": NOW}
        connection.execute(sa.update(RUN).where(RUN.c.id == info.id).values(**own))
        return self._before

    def _insert(self, connection: sa.Connection, info: RunInfo) -> None:
        row = _row_of(info)
        row |= {
            "attempt": self._attempt,
            "moment": time(),
            "digest": digest(self._request),
            "body": self._body(info, self._end),
            "chunks": packed(self._request.text_chunks),
        }
        connection.execute(sa.insert(RUN).values(alive=NOW), row)

    def _body(self, info: RunInfo, end: dict[str, Any] | None) -> bytes:
        request = request_to_json(replace(self._request, text_chunks=())) | {"text_chunks": None}
        return packed({"request": request, "edited": sorted(info.edited), "end": end})


def _pack(call: CallRecord) -> _Call:
    return _Call(call.number, call.answer is not None, packed(call_to_json(call)))


def _row_of(info: RunInfo) -> dict[str, Any]:
    """Return the columns of a run, without what a database's own text can't hold."""
    values = {name: getattr(info, name) for name in IN_COLUMNS}
    texts = {name: column_text(text) for name, text in values.items() if isinstance(text, str)}
    return values | texts
