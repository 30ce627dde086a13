"""The versions of the tables, and a function for each step from one to the next.

That is the whole of what a migration tool would do here, with one number in the database. All
steps are one transaction, in SQLite and in PostgreSQL, so a database is never between two versions.
"""

from collections.abc import Callable

from sqlalchemy import Connection, text

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


def _with_reused(connection: Connection) -> None:
    """Version 3: runs have the number of answers that were reused, here as far as it is known."""
    reused = "calls - (requests - unsure)"
    for statement in (
        "ALTER TABLE run ADD COLUMN reused INTEGER NOT NULL DEFAULT 0",
        f"UPDATE run SET reused = {reused} WHERE {reused} > 0",
    ):
        connection.execute(text(statement))


def _with_deleted_workspaces(connection: Connection) -> None:
    """Version 4: workspaces that were deleted are known by their id, which nobody asks for now."""
    columns = "id VARCHAR(64) NOT NULL PRIMARY KEY, deleted DOUBLE PRECISION NOT NULL"
    connection.execute(text(f"CREATE TABLE deleted_workspace ({columns})"))


def _with_received(connection: Connection) -> None:
    """Version 5: spans that other applications send."""
    body = "BYTEA" if connection.dialect.name == "postgresql" else "BLOB"
    numbers = ("number", "spans", "told", "size", "packed")
    columns = ", ".join(f"{name} INTEGER NOT NULL" for name in numbers)
    for statement in (
        f"CREATE TABLE received ({columns}, trace VARCHAR(64) NOT NULL, came DOUBLE PRECISION NOT"
        f" NULL, body {body} NOT NULL, PRIMARY KEY (number))",
        "CREATE INDEX received_by_trace ON received (trace, number, spans, told, size, packed)",
    ):
        connection.execute(text(statement))


def _with_usage(connection: Connection) -> None:
    """Version 6: what is counted on a day."""
    columns = "who VARCHAR(64) NOT NULL, day INTEGER NOT NULL, kind VARCHAR(64) NOT NULL"
    rest = "amount DOUBLE PRECISION NOT NULL, PRIMARY KEY (who, day, kind)"
    connection.execute(text(f"CREATE TABLE usage ({columns}, {rest})"))


def _with_lent_keys(connection: Connection) -> None:
    """Version 7: runs say whether the operator's key was lent to them."""
    column = "lent_key BOOLEAN NOT NULL DEFAULT FALSE"
    connection.execute(text(f"ALTER TABLE run ADD COLUMN {column}"))


def _without_template_versions(connection: Connection) -> None:
    """Version 8: templates have no numbers; a run has their texts."""
    connection.execute(text("ALTER TABLE run DROP COLUMN template_versions"))
    connection.execute(text("DROP TABLE template_version"))


STEPS: tuple[Step, ...] = (
    *(_with_moments, _with_reused, _with_deleted_workspaces),
    *(_with_received, _with_usage, _with_lent_keys, _without_template_versions),
)
"""The first step leads from version 1 to version 2.

A step must not use the tables of `tables.py`: these are of the newest version.
"""
