"""Saved workspaces: their values by name, each written when it changes."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import bindparam, delete, exists, insert, select, update

from ui.history.database import insert_unless_there
from ui.history.history import History
from ui.history.tables import RUN, WORKSPACE, WORKSPACE_VALUE, next_moment
from ui.history.written import packed, unpacked

# Made once: of a class, thirty workspaces are saved each second.
_TOUCH = update(WORKSPACE).where(WORKSPACE.c.id == bindparam("own_id"))
_FORGET = delete(WORKSPACE_VALUE).where(
    WORKSPACE_VALUE.c.workspace == bindparam("own_id"),
    WORKSPACE_VALUE.c.name == bindparam("old_name"),
)
_INSERT = insert(WORKSPACE_VALUE)


def save(
    history: History, workspace: str, changed: Mapping[str, Any], removed: Collection[str] = ()
) -> None:
    """Save the JSON values that changed, and forget those that were removed."""
    rows = [
        {"workspace": workspace, "name": name, "body": packed(value)}
        for name, value in changed.items()
    ]
    old = [{"own_id": workspace, "old_name": name} for name in (*changed, *removed)]
    with history.write() as connection:
        saved = next_moment(connection)
        if not connection.execute(_TOUCH, {"own_id": workspace, "saved": saved}).rowcount:
            row = insert(WORKSPACE).values(id=workspace, saved=saved)
            insert_unless_there(connection, row)
        if old:
            connection.execute(_FORGET, old)
        if rows:
            connection.execute(_INSERT, rows)


def load(history: History, workspace: str) -> dict[str, Any]:
    """The JSON values of a workspace by name; none if it was never saved."""
    chosen = select(WORKSPACE_VALUE.c.name, WORKSPACE_VALUE.c.body).where(
        WORKSPACE_VALUE.c.workspace == workspace
    )
    with history.read() as connection:
        rows = connection.execute(chosen).all()
    return {row.name: unpacked(row.body) for row in rows}


def older_than(history: History, workspace: str, run: str) -> bool:
    """Whether a workspace was saved before this run began, or never."""
    since = exists().where(WORKSPACE.c.id == workspace, WORKSPACE.c.saved > RUN.c.moment)
    with history.read() as connection:
        return connection.scalar(select(RUN.c.id).where(RUN.c.id == run, ~since)) is not None


def latest(history: History) -> str | None:
    """The id of the workspace that was saved last."""
    chosen = select(WORKSPACE.c.id).order_by(WORKSPACE.c.saved.desc()).limit(1)
    with history.read() as connection:
        return connection.scalar(chosen)
