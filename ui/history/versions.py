"""The versions of the history's tables, and the steps from each to the next.

The whole of what a migration tool would do here: one number in the database, and a function for
each step. All steps are one transaction, in SQLite and in PostgreSQL, so a database is never
between two versions.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, inspect, select, text, update

from ui.history.problems import OTHER_PLACE, HistoryError
from ui.history.tables import Base, SchemaVersion

Step = Callable[[Connection], None]


def _with_moments(connection: Connection) -> None:
    """Version 2: runs have a moment, and the number of requests that may not have been sent."""
    for statement in (
        "ALTER TABLE run ADD COLUMN moment DOUBLE PRECISION NOT NULL DEFAULT 0",
        "ALTER TABLE run ADD COLUMN unsure INTEGER NOT NULL DEFAULT 0",
        "UPDATE run SET moment = started",
        "CREATE INDEX run_in_order ON run (workspace, deleted, moment)",
        "CREATE INDEX run_by_moment ON run (moment)",
    ):
        connection.execute(text(statement))


STEPS: tuple[Step, ...] = (_with_moments,)
"""The first step leads from version 1 to version 2.

A step must not use the classes of `tables`: these are of the newest version.
"""

_TURN = 7_042_021  # the number of PostgreSQL's advisory lock, the same in every process


def bring_up_to_date(connection: Connection, place: str) -> None:
    """Make the tables, or lead those of an older version to the newest.

    HistoryError for a database of a newer version.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": _TURN})
    newest = 1 + len(STEPS)
    if not inspect(connection).has_table(SchemaVersion.__tablename__):
        Base.metadata.create_all(connection)
        connection.execute(SchemaVersion.__table__.insert(), {"version": newest})  # type: ignore[attr-defined]
        return
    version = connection.scalar(select(SchemaVersion.version)) or 0
    if version > newest:
        raise HistoryError(
            f"The history in {place} has version {version}, and this program knows versions up to"
            f" {newest}: update the program, or {OTHER_PLACE}."
        )
    for step in STEPS[version - 1 :]:
        step(connection)
    if version < newest:
        connection.execute(update(SchemaVersion).values(version=newest))
