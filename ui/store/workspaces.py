"""Saved workspaces: their values by name."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from ui.store.database import Database, insert_unless_there
from ui.store.run_json import packed, unpacked
from ui.store.store import Store
from ui.store.tables import WORKSPACE, next_moment


def save(database: Database | Store, workspace: str, values: Mapping[str, Any]) -> None:
    """Save the JSON values of a workspace, in the place of those before."""
    own = sa.update(WORKSPACE).where(WORKSPACE.c.id == workspace)
    with database.write() as connection:
        row = {"saved": next_moment(connection), "body": packed(values)}
        if connection.execute(own.values(**row)).rowcount:
            return
        new = sa.insert(WORKSPACE).values(id=workspace, **row)
        if not insert_unless_there(connection, new):
            connection.execute(own.values(**row))


def load(store: Store, workspace: str) -> dict[str, Any]:
    """Read the JSON values of a workspace by name; none if it was never saved."""
    with store.read() as connection:
        body = connection.scalar(sa.select(WORKSPACE.c.body).where(WORKSPACE.c.id == workspace))
    values: dict[str, Any] = {} if body is None else unpacked(body)
    return values


def find_latest(store: Store) -> str | None:
    """Return the id of the workspace that was saved last."""
    chosen = sa.select(WORKSPACE.c.id).order_by(WORKSPACE.c.saved.desc()).limit(1)
    with store.read() as connection:
        return connection.scalar(chosen)
