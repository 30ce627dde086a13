"""Saved runs and workspaces: how they are found and read, what a person changes, how they go."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from time import time
from typing import Any

import sqlalchemy as sa

from synth.errors import INTERRUPTED, ImportedRunError
from synth.export.recipe import Messages
from ui.settings.request import Request
from ui.store.database import Database, StoreError
from ui.store.run_json import (
    Run,
    column_text,
    digest,
    packed,
    request_from_json,
    trace_of,
    unpacked,
)
from ui.store.store import Store
from ui.store.tables import (
    ANSWER,
    IN_COLUMNS,
    RUN,
    RUNNING,
    WORKSPACE,
    RunInfo,
)

Condition = sa.ColumnElement[bool]
UNDO_SECONDS = 86_400
"""How long a deleted run can be restored."""

_SEARCHED = 200  # runs, for the texts that their templates had
_COMPARED = 5_000  # runs, for those that a comparison asks
_SEARCHED_IN = ("question", "answer", "name", "note", "mode", "model")
_COLUMNS = [RUN.c[name] for name in IN_COLUMNS]
_NO_END = {"response": None, "error": None, "stopped": True}


class Every(Enum):
    """All workspaces, only for who may see the runs of all of them."""

    WORKSPACE = "every workspace"


Owner = str | Every
"""The workspace whose runs are looked for, or all."""


@dataclass(frozen=True)
class Filter:
    """What runs are looked for: those with all `words`, those of a trace or not, those of `ids`.

    Each of the `words` stands in the question, the answer, the name, the note, the mode or the
    model, in any case. None means any; `but` are the ids of runs that are left out.
    """

    words: str = ""
    of_trace: bool | None = None
    ids: frozenset[str] | None = None
    but: frozenset[str] = frozenset()


@dataclass(frozen=True)
class RunPage:
    """How many runs were found, and a page of them, the latest first."""

    count: int
    runs: tuple[RunInfo, ...]


def find(store: Store, owner: Owner, wanted: Filter, limit: int = 100, offset: int = 0) -> RunPage:
    """Find the runs that the filter lets through: `limit` of them from `offset` on."""
    with store.database().read() as connection:
        living = store.database().living(connection)
        where = _where(owner, wanted)
        count = connection.scalar(sa.select(sa.func.count()).select_from(RUN).where(*where)) or 0
        page = _chosen(living).where(*where).order_by(RUN.c.moment.desc(), RUN.c.id)
        rows = connection.execute(page.limit(limit).offset(offset)).all()
    return RunPage(count, tuple(map(_info, rows)))


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
    chosen = sa.select(RUN.c.id, RUN.c.digest).where(*_owned(workspace), RUN.c.page == page)
    runs: dict[Request, list[str]] = {request: [] for request in requests}
    with store.read() as connection:
        for run in connection.execute(chosen.order_by(RUN.c.moment.desc()).limit(_COMPARED)):
            if run.digest in by_digest:
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
    request = _request(written, unpacked(row.chunks))
    end = written["end"]
    if info.state in (RUNNING, "interrupted"):  # what is saved of an earlier end holds no more
        kind = None if info.state == RUNNING else INTERRUPTED
        end = _NO_END | {"error_kind": kind, "seconds": info.seconds}
    trace = trace_of(request, end | {"calls": [unpacked(calls[at]) for at in sorted(calls)]})
    return Run(replace(info, edited=frozenset(written["edited"])), request, trace)


def with_saved_name(store: Store, run: Run) -> Run:
    """Give a run the name and the note that it has in the store, if it has any."""
    chosen = sa.select(RUN.c.name, RUN.c.note).where(RUN.c.id == run.info.id)
    with suppress(StoreError), store.read() as connection:  # the run is here without it
        if row := connection.execute(chosen).one_or_none():
            return replace(run, info=replace(run.info, name=row.name, note=row.note))
    return run


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


def _request(written: dict[str, Any], chunks: list[str]) -> Request:
    return request_from_json(written["request"] | {"text_chunks": chunks})


def _where(owner: Owner, wanted: Filter) -> list[Condition]:
    where = [*_owned(owner)]
    texts = [sa.func.lower(RUN.c[name]) for name in _SEARCHED_IN]
    for word in column_text(wanted.words).lower().split():
        where.append(sa.or_(*(text.contains(word, autoescape=True) for text in texts)))
    if wanted.of_trace is not None:
        where.append(RUN.c.unpriced.is_(wanted.of_trace))
    if wanted.ids is not None:
        where.append(RUN.c.id.in_(wanted.ids))
    if wanted.but:
        where.append(RUN.c.id.not_in(wanted.but))
    return where
