"""Saved workspaces: their values by name, each written when it changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from time import time
from typing import Any

from sqlalchemy import delete, insert, select, update

from ui.history.database import insert_unless_there
from ui.history.history import History
from ui.history.tables import SavedValue, SavedWorkspace
from ui.history.written import packed, unpacked


def save(
    history: History, workspace: str, changed: Mapping[str, Any], removed: Collection[str] = ()
) -> None:
    """Save the JSON values that changed, and forget those that were removed."""
    bodies = [{"name": name, "body": packed(value)} for name, value in changed.items()]
    with history.write() as connection:
        own = SavedWorkspace.id == workspace
        if not connection.execute(update(SavedWorkspace).where(own).values(saved=time())).rowcount:
            row = insert(SavedWorkspace).values(id=workspace, saved=time())
            insert_unless_there(connection, row)
        names = [*changed, *removed]
        old = (SavedValue.workspace == workspace, SavedValue.name.in_(names))
        connection.execute(delete(SavedValue).where(*old))
        if bodies:
            rows = [{"workspace": workspace} | body for body in bodies]
            connection.execute(insert(SavedValue), rows)


def load(history: History, workspace: str) -> dict[str, Any]:
    """The JSON values of a workspace by name; none if it was never saved."""
    chosen = select(SavedValue.name, SavedValue.body).where(SavedValue.workspace == workspace)
    with history.read() as connection:
        rows = connection.execute(chosen).all()
    return {row.name: unpacked(row.body) for row in rows}


def latest(history: History) -> str | None:
    """The id of the workspace that was saved last."""
    chosen = select(SavedWorkspace.id).order_by(SavedWorkspace.saved.desc()).limit(1)
    with history.read() as connection:
        return connection.scalar(chosen)
