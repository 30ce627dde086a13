"""The versions of a workspace's templates: what each was when a run was made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from time import time

from sqlalchemy import Connection, bindparam, func, insert, select

from ui.history.database import insert_unless_there
from ui.history.history import History
from ui.history.tables import TemplateVersion
from ui.history.written import digest, packed, unpacked
from ui.settings.names import Messages

# Made once: a comparison asks them for each of its runs.
_OWN = (
    TemplateVersion.workspace == bindparam("own_workspace"),
    TemplateVersion.name == bindparam("own_name"),
)
_KNOWN = select(TemplateVersion.version).where(
    *_OWN, TemplateVersion.digest == bindparam("own_digest")
)
_NEWEST = select(func.max(TemplateVersion.version)).where(*_OWN)


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
        row = {"digest": digest(body), "made": time(), "body": body}
        number = (connection.scalar(_NEWEST, own) or 0) + 1
        new = insert(TemplateVersion).values(workspace=workspace, name=name, version=number, **row)
        insert_unless_there(connection, new)
    return version


def newest(history: History, workspace: str) -> dict[str, int]:
    """The number of the latest version of each template of this workspace."""
    latest = select(TemplateVersion.name, func.max(TemplateVersion.version))
    own = TemplateVersion.workspace == workspace
    with history.read() as connection:
        rows = connection.execute(latest.where(own).group_by(TemplateVersion.name)).all()
    return {row[0]: row[1] for row in rows}


def versions(history: History, workspace: str, name: str) -> list[Version]:
    """All versions of a template that runs of this workspace used, the latest first."""
    chosen = (
        select(TemplateVersion.version, TemplateVersion.made, TemplateVersion.body)
        .where(TemplateVersion.workspace == workspace, TemplateVersion.name == name)
        .order_by(TemplateVersion.version.desc())
    )
    with history.read() as connection:
        rows = connection.execute(chosen).all()
    return [
        Version(number, datetime.fromtimestamp(made, UTC), _messages(body))
        for number, made, body in rows
    ]


def _messages(body: bytes) -> Messages:
    return tuple((role, text) for role, text in unpacked(body))
