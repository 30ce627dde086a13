"""How what is kept goes: a workspace at once, and what is past its time when a server starts."""

from datetime import UTC, datetime
from time import time

from sqlalchemy import ColumnElement, Connection, delete, exists, func, select

from ui.history import day_counts, spending
from ui.history.history import History
from ui.history.summaries import UNDO_SECONDS
from ui.history.tables import (
    CHUNK_LIST,
    RECEIVED,
    RUN,
    RUN_INPUT,
    RUNNING,
    WORKSPACE,
)

_DAY = 86_400  # seconds
_AT_ONCE = 200  # runs of one transaction, so that runs which go on are saved in between

_LATEST = func.coalesce(RUN.c.ended, RUN.c.started)


def delete_workspace(history: History, workspace: str) -> None:
    """Delete a workspace with all that is kept of it.

    A file of SQLite holds nothing of it afterwards. PostgreSQL overwrites it when it vacuums.
    """
    with history.write() as connection:
        _delete_runs(connection, RUN.c.workspace == workspace)
        connection.execute(delete(WORKSPACE).where(WORKSPACE.c.id == workspace))
    history.database.empty_log()


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
    history.database.empty_log()


def _expire(history: History, before: float) -> None:
    moment = datetime.fromtimestamp(before, UTC)
    with history.read() as connection:
        living = history.presence.living(connection)
    going_on = (RUN.c.state == RUNNING) & RUN.c.process.in_(living)
    _delete_in_parts(history, (moment > _LATEST) & ~going_on)
    used = exists().where(RUN.c.workspace == WORKSPACE.c.id)
    with history.write() as connection:
        connection.execute(delete(WORKSPACE).where(WORKSPACE.c.saved < before, ~used))
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
