"""The versions of a workspace's templates: what each was when a run was made."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, bindparam, func, insert, select

from synth.export.recipe import Messages
from ui.history.database import insert_unless_there
from ui.history.history import History
from ui.history.tables import TEMPLATE_VERSION
from ui.history.written import digest, packed, unpacked

# Made once: a comparison asks them for each of its runs.
_OWN = (
    TEMPLATE_VERSION.c.workspace == bindparam("own_workspace"),
    TEMPLATE_VERSION.c.name == bindparam("own_name"),
)
_KNOWN = select(TEMPLATE_VERSION.c.version).where(
    *_OWN, TEMPLATE_VERSION.c.digest == bindparam("own_digest")
)
_NEWEST = select(func.max(TEMPLATE_VERSION.c.version)).where(*_OWN)


@dataclass(frozen=True)
class Version:
    """A version of a template, counted from 1, and when a run first used it, in UTC."""

    number: int
    made: datetime
    messages: Messages


def numbered(
    connection: Connection, workspace: str, templates: Iterable[tuple[str, Messages]]
) -> dict[str, int]:
    """The version of each of these templates; what no run has used before is a new version."""
    return {name: _numbered(connection, workspace, name, text) for name, text in templates}


def _numbered(connection: Connection, workspace: str, name: str, messages: Messages) -> int:
    body = packed(messages)
    own = {"own_workspace": workspace, "own_name": name}
    while (version := connection.scalar(_KNOWN, own | {"own_digest": digest(body)})) is None:
        row = {"digest": digest(body), "made": datetime.now(UTC), "body": body}
        number = (connection.scalar(_NEWEST, own) or 0) + 1
        new = insert(TEMPLATE_VERSION).values(workspace=workspace, name=name, version=number, **row)
        insert_unless_there(connection, new)
    return version


def newest(history: History, workspace: str) -> dict[str, int]:
    """The number of the latest version of each template of this workspace."""
    latest = select(TEMPLATE_VERSION.c.name, func.max(TEMPLATE_VERSION.c.version))
    own = TEMPLATE_VERSION.c.workspace == workspace
    with history.read() as connection:
        rows = connection.execute(latest.where(own).group_by(TEMPLATE_VERSION.c.name)).all()
    return {row[0]: row[1] for row in rows}


def versions(history: History, workspace: str, name: str) -> list[Version]:
    """All versions of a template that runs of this workspace used, the latest first."""
    chosen = (
        select(TEMPLATE_VERSION.c.version, TEMPLATE_VERSION.c.made, TEMPLATE_VERSION.c.body)
        .where(TEMPLATE_VERSION.c.workspace == workspace, TEMPLATE_VERSION.c.name == name)
        .order_by(TEMPLATE_VERSION.c.version.desc())
    )
    with history.read() as connection:
        rows = connection.execute(chosen).all()
    return [
        Version(number, made, tuple((role, text) for role, text in unpacked(body)))
        for number, made, body in rows
    ]
