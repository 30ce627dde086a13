"""What is kept of a workspace, and how it goes: at once, or when its time is over."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from time import time
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Text,
    delete,
    exists,
    func,
    insert,
    select,
)

from ui.history import day_counts, spending
from ui.history.database import insert_unless_there
from ui.history.history import History
from ui.history.summaries import UNDO_SECONDS
from ui.history.tables import (
    CALL,
    CHUNK_LIST,
    DELETED,
    RECEIVED,
    RUN,
    RUN_INPUT,
    RUNNING,
    WORKSPACE,
    WORKSPACE_VALUE,
)

_DAY = 86_400  # seconds
_DELETED_ARE_KNOWN = 30 * _DAY
"""How long the id of a deleted workspace is kept: no server has one in memory for so long."""
_AT_ONCE = 200  # runs of one transaction, so that runs which go on are saved in between

_LATEST = func.coalesce(RUN.c.ended, RUN.c.started)


@dataclass(frozen=True)
class Kept:
    """What is kept of a workspace. `size` is about how many bytes the database has of it.

    It is the length of bodies, which are compressed, and a byte for each character of other texts.

    `deleted_runs` are those of `runs` that can still be brought back; `since` is when the first run
    began.
    """

    runs: int
    deleted_runs: int
    calls: int
    values: int
    size: int
    since: datetime | None


def kept(history: History, workspace: str) -> Kept:
    """What is kept of this workspace now."""
    runs = select(RUN.c.id).where(RUN.c.workspace == workspace)
    inputs = RUN_INPUT.c.run.in_(runs)
    lists = select(RUN_INPUT.c.chunks).where(inputs)
    texts = [column for column in RUN.c if isinstance(column.type, Text)]
    values = WORKSPACE_VALUE.c
    parts: list[tuple[ColumnElement[bool], list[Column[Any]]]] = [
        (RUN.c.workspace == workspace, texts),
        (CALL.c.run.in_(runs), [CALL.c.body]),
        (inputs, [RUN_INPUT.c.request, RUN_INPUT.c.end]),
        (CHUNK_LIST.c.digest.in_(lists), [CHUNK_LIST.c.body]),
        (values.workspace == workspace, [values.body]),
    ]
    counts, size = [], 0
    with history.read() as connection:
        for where, columns in parts:
            sizes = (func.sum(func.length(column)) for column in columns)
            count, *lengths = connection.execute(select(func.count(), *sizes).where(where)).one()
            counts.append(count)
            size += sum(int(length or 0) for length in lengths)
        of_runs = select(func.count(RUN.c.deleted), func.min(RUN.c.started))
        deleted, since = connection.execute(of_runs.where(RUN.c.workspace == workspace)).one()
    made, calls, _, _, of_values = counts
    return Kept(made, deleted, calls, of_values, size, since)


def delete_workspace(history: History, workspace: str) -> None:
    """Delete a workspace with all that is kept of it; no server saves anything of it again.

    A file of SQLite holds nothing of it afterwards. PostgreSQL overwrites it when it vacuums.
    """
    with history.write() as connection:
        _delete_workspace(connection, workspace)
    history.database.empty_log()


def _delete_workspace(connection: Connection, workspace: str) -> None:
    row = insert(DELETED).values(id=workspace, deleted=time())
    insert_unless_there(connection, row)
    _delete_runs(connection, RUN.c.workspace == workspace)
    connection.execute(delete(WORKSPACE).where(WORKSPACE.c.id == workspace))


def deleted(history: History, workspaces: Collection[str]) -> set[str]:
    """Those of these workspaces that were deleted."""
    chosen = select(DELETED.c.id).where(DELETED.c.id.in_(workspaces))
    with history.read() as connection:
        return set(connection.scalars(chosen))


def forget_old(history: History, days: int | None) -> None:
    """Remove the runs that were deleted more than a day ago, and all that is older than `days`.

    What is old, pinned or not: a run that ended so long ago, spans that came so long ago, and a
    workspace in which nothing was changed and no run made since. Several servers may do this at
    once, one finds nothing to do.
    """
    now = time()
    _delete_in_parts(history, RUN.c.deleted < now - UNDO_SECONDS)
    if days is not None:
        _expire(history, now - days * _DAY)
    with history.write() as connection:
        connection.execute(delete(DELETED).where(DELETED.c.deleted < now - _DELETED_ARE_KNOWN))
    history.database.empty_log()


def _expire(history: History, before: float) -> None:
    moment = datetime.fromtimestamp(before, UTC)
    with history.read() as connection:
        living = history.presence.living(connection)
    going_on = (RUN.c.state == RUNNING) & RUN.c.process.in_(living)
    _delete_in_parts(history, (moment > _LATEST) & ~going_on)
    used = exists().where(RUN.c.workspace == WORKSPACE.c.id)
    old = select(WORKSPACE.c.id).where(WORKSPACE.c.saved < before, ~used)
    with history.read() as connection:
        workspaces = connection.scalars(old).all()
    for workspace in workspaces:
        with history.write() as connection:  # somebody may have come back to it meanwhile
            still = old.where(WORKSPACE.c.id == workspace).with_for_update()
            if connection.scalar(still) is not None:
                _delete_workspace(connection, workspace)
    with history.write() as connection:
        connection.execute(delete(RECEIVED).where(RECEIVED.c.came < before))


def _delete_in_parts(history: History, which: ColumnElement[bool]) -> None:
    found = select(RUN.c.id).where(which).limit(_AT_ONCE)
    while True:
        with history.write() as connection:
            runs = connection.scalars(found).all()
            if not runs:
                return
            _delete_runs(connection, RUN.c.id.in_(runs))


def _delete_runs(connection: Connection, which: ColumnElement[bool]) -> None:
    """Delete runs, and the chunk lists that no other run has.

    What a lent key paid for them today stays counted.
    """
    if paid := spending.paid_today(connection, which):
        day_counts.add(connection, spending.LENT, "dollars", paid)
    own = select(RUN_INPUT.c.chunks).join(RUN, RUN.c.id == RUN_INPUT.c.run).where(which)
    lists = connection.scalars(own.distinct()).all()
    connection.execute(delete(RUN).where(which))
    used = exists().where(RUN_INPUT.c.chunks == CHUNK_LIST.c.digest)
    connection.execute(delete(CHUNK_LIST).where(CHUNK_LIST.c.digest.in_(lists), ~used))
