"""Saved runs and workspaces: how they are written, found and read, how a person changes them.

A run is saved as it happens: each request before it is sent, each call when it ends. Its calls stay
in memory until it has ended: a transaction whose end is unknown is done again, and where another
database has taken the place of one, the run is saved there as a whole.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from time import time
from typing import Any

import sqlalchemy as sa

from synth.errors import INTERRUPTED, ImportedRunError
from synth.export.files import call_to_json, trace_to_json
from synth.export.recipe import Messages
from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import counted, short
from ui.settings.request import Request
from ui.store.rows import (
    ANSWER,
    IN_COLUMNS,
    RUN,
    RUNNING,
    WORKSPACE,
    Run,
    RunInfo,
    RunKind,
    column_text,
    digest,
    packed,
    request_from_json,
    request_to_json,
    trace_of,
    unpacked,
)
from ui.store.store import NOW, Database, Store, Waiting, current_store

Condition = sa.ColumnElement[bool]
UNDO_SECONDS = 86_400
"""How long a deleted run can be restored."""

_SEARCHED = 200  # runs, for the texts that their templates had
_SEARCHED_IN = ("question", "answer", "name", "note", "mode", "model")
_COLUMNS = [RUN.c[name] for name in IN_COLUMNS]
_NO_END = {"response": None, "error": None, "stopped": True}


class Every(Enum):
    """All workspaces, only for who may see the runs of all of them."""

    WORKSPACE = "every workspace"


Owner = str | Every
"""The workspace whose runs are looked for, or all."""


@dataclass(frozen=True)
class RunPage:
    """How many runs were found, and the latest of them."""

    count: int
    runs: Sequence[RunInfo]


def find(
    store: Store, owner: Owner, words: str = "", kind: RunKind | None = None, limit: int = 100
) -> RunPage:
    """Find the runs with all words, those of a kind; of many the latest are returned, in order.

    Each word stands in the question, the answer, the name, the note, the mode or the model, in any
    case.
    """
    where = [*_owned(owner)]
    texts = [sa.func.lower(RUN.c[name]) for name in _SEARCHED_IN]
    for word in column_text(words).lower().split():
        where.append(sa.or_(*(text.contains(word, autoescape=True) for text in texts)))
    if kind is not None:
        where.append(RUN.c.kind == kind)
    with store.database().read() as connection:
        count = connection.scalar(sa.select(sa.func.count()).select_from(RUN).where(*where)) or 0
        chosen = _chosen(store.database().living(connection)).where(*where)
        rows = connection.execute(chosen.order_by(RUN.c.moment.desc(), RUN.c.id).limit(limit))
        return RunPage(count, [*map(_info, rows)])


def find_latest(store: Store, workspace: str, page: str) -> str | None:
    """Return the run of a workspace that was started last on this page."""
    chosen = sa.select(RUN.c.id).where(*_owned(workspace), RUN.c.page == page)
    with store.read() as connection:
        return connection.scalar(chosen.order_by(RUN.c.moment.desc()).limit(1))


def find_equal(
    store: Store, workspace: str, page: str, requests: Collection[Request]
) -> dict[Request, list[str]]:
    """List the runs that a page made of each of these requests, the latest first."""
    by_digest = {digest(request): request for request in requests}
    wanted = *_owned(workspace), RUN.c.page == page, RUN.c.digest.in_(by_digest)
    chosen = sa.select(RUN.c.id, RUN.c.digest).where(*wanted).order_by(RUN.c.moment.desc())
    runs: dict[Request, list[str]] = {request: [] for request in requests}
    with store.read() as connection:
        for run in connection.execute(chosen):
            runs[by_digest[run.digest]].append(run.id)
    return runs


def find_saved(store: Store, runs: Collection[str]) -> set[str]:
    """Return those of these ids that a run has which was not deleted."""
    chosen = sa.select(RUN.c.id).where(RUN.c.id.in_(runs), RUN.c.deleted.is_(None))
    with store.read() as connection:
        return set(connection.scalars(chosen))


def load_run(store: Store, owner: Owner, run: str) -> Run | None:
    """Read a run of an owner; None if there is no such run. ImportedRunError if it is damaged."""
    with store.database().read() as connection:
        parts = _chosen(store.database().living(connection)).add_columns(RUN.c.body, RUN.c.chunks)
        row = connection.execute(parts.where(*_owned(owner), RUN.c.id == run)).one_or_none()
        if row is None:
            return None
        answers = sa.select(ANSWER.c.number, ANSWER.c.body).where(ANSWER.c.run == run)
        calls = {row.number: row.body for row in connection.execute(answers.order_by(ANSWER.c.id))}
    info, written = _info(row), unpacked(row.body)
    request = request_from_json(written["request"] | {"text_chunks": unpacked(row.chunks)})
    end = written["end"]
    if info.state in (RUNNING, "interrupted"):  # what is saved of an earlier end holds no more
        kind = None if info.state == RUNNING else INTERRUPTED
        end = _NO_END | {"error_kind": kind, "seconds": info.seconds}
    trace = trace_of(request, end | {"calls": [unpacked(calls[at]) for at in sorted(calls)]})
    return Run(replace(info, edited=frozenset(written["edited"])), request, trace)


def find_earlier_texts(store: Store, workspace: str, template: str) -> dict[Messages, datetime]:
    """Return the texts of a template in the latest runs, and when the last with each began."""
    own = sa.select(RUN.c.body, RUN.c.started).where(*_owned(workspace))
    with store.read() as connection:
        runs = connection.execute(own.order_by(RUN.c.moment.desc()).limit(_SEARCHED)).all()
    texts: dict[Messages, datetime] = {}
    for run in runs:
        with suppress(ImportedRunError):  # opening it says why it can't be read
            templates = dict(unpacked(run.body)["request"]["templates"])
            if template in templates:
                texts.setdefault(tuple(map(tuple, templates[template])), run.started)
    return texts


def change(store: Store, owner: Owner, runs: Collection[str], **values: str | float | None) -> None:
    """Change the name or the note of runs, or when they were deleted, None for never."""
    texts = {
        name: column_text(text.strip()) for name, text in values.items() if isinstance(text, str)
    }
    own = sa.update(RUN).where(*_owned(owner, deleted=True), RUN.c.id.in_(runs))
    with store.write() as connection:
        connection.execute(own.values(**values | texts))


def open_again(store: Store, run: str, workspace: str, page: str) -> bool:
    """Make a run of elsewhere the latest of a page, even a deleted one; False if it is gone."""
    change = sa.update(RUN).where(RUN.c.id == run)
    again = change.values(workspace=workspace, page=page, deleted=None, moment=time())
    with store.write() as connection:
        return bool(connection.execute(again).rowcount)


def save_workspace(database: Database | Store, workspace: str, values: Mapping[str, Any]) -> None:
    """Save the JSON values of a workspace, in the place of those before."""
    row = {"saved": time(), "body": packed(values)}
    with database.write() as connection:
        own = sa.update(WORKSPACE).where(WORKSPACE.c.id == workspace)
        if not connection.execute(own.values(**row)).rowcount:
            connection.execute(sa.insert(WORKSPACE).values(id=workspace, **row))


def load_workspace(store: Store, workspace: str) -> dict[str, Any]:
    """Read the JSON values of a workspace by name; none if it was never saved."""
    with store.read() as connection:
        body = connection.scalar(sa.select(WORKSPACE.c.body).where(WORKSPACE.c.id == workspace))
    values: dict[str, Any] = {} if body is None else unpacked(body)
    return values


def find_latest_workspace(store: Store) -> str | None:
    """Return the id of the workspace that was saved last."""
    chosen = sa.select(WORKSPACE.c.id).order_by(WORKSPACE.c.saved.desc()).limit(1)
    with store.read() as connection:
        return connection.scalar(chosen)


def delete_workspace(store: Store, workspace: str) -> None:
    """Delete a workspace with its runs."""
    with store.write() as connection:
        connection.execute(sa.delete(RUN).where(RUN.c.workspace == workspace))
        connection.execute(sa.delete(WORKSPACE).where(WORKSPACE.c.id == workspace))


def remove_deleted(store: Store) -> None:
    """Remove the runs that were deleted too long ago to be restored."""
    with store.write() as connection:
        connection.execute(sa.delete(RUN).where(RUN.c.deleted < time() - UNDO_SECONDS))


def _owned(owner: Owner, deleted: bool = False) -> tuple[Condition, ...]:
    own = () if isinstance(owner, Every) else (RUN.c.workspace == owner,)
    return own if deleted else (*own, RUN.c.deleted.is_(None))


def _chosen(living: Condition) -> Any:
    return sa.select(*_COLUMNS, living.label("lives"))


def _info(row: sa.Row[Any]) -> RunInfo:
    values = {name: getattr(row, name) for name in IN_COLUMNS}
    if values["state"] == RUNNING and not row.lives:
        values["state"] = "interrupted"
    return RunInfo(**values)


GOES_ON = (
    "This run goes on at another server: wait for its end, or stop it there. Nothing was sent."
)
_LONGEST_QUESTION = 60  # characters
_CHANGING = (
    *("state", "ended", "seconds", "calls", "requests"),
    *("prompt_tokens", "output_tokens", "dollars", "answer", "problem"),
)
"""The columns that change while a run goes on."""

# Made once: building a statement costs more than SQLite takes to carry it out.
_INSERT_ANSWER = sa.insert(ANSWER)
_UPDATE = sa.update(RUN).where(
    RUN.c.id == sa.bindparam("own"), RUN.c.attempt == sa.bindparam("own_attempt")
)


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
        self._calls = [] if earlier is None else [*earlier.calls]
        self._before = len(self._calls)
        self._end: Trace | None = None
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
        with self.lock:
            self._info = info
            self._calls += ended
            if end is not None:
                self._end = end
        current_store().save(self)

    def describe(self, since: str) -> str:
        """Say which run is not saved since then, and how many of its answers."""
        question = short(self._request.query_str, _LONGEST_QUESTION)
        answers = sum(call.answer is not None for call in self._calls[self._saved :])
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
                calls = [call for call in calls if call.answer and call.number not in answered]
            rows = [
                {"run": info.id, "number": call.number, "body": packed(call_to_json(call))}
                for call in calls
            ]
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

    def _body(self, info: RunInfo, end: Trace | None) -> bytes:
        """Pack what stands in no column; the calls at the end have rows of their own."""
        ended = None if end is None else replace(end, calls=(), seconds=info.seconds)
        request = request_to_json(replace(self._request, text_chunks=())) | {"text_chunks": None}
        return packed(
            {
                "request": request,
                "edited": sorted(info.edited),
                "end": ended and trace_to_json(ended),
            }
        )


def _row_of(info: RunInfo) -> dict[str, Any]:
    """Return the columns of a run, without what a database's own text can't hold."""
    values = {name: getattr(info, name) for name in IN_COLUMNS}
    texts = {name: column_text(text) for name, text in values.items() if isinstance(text, str)}
    return values | texts
