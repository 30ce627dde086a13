"""What visitors use and a class says in a day, and what is kept in all, counted by all servers.

A day is one of UTC. The rows of a day go with the first that is written on a later one.
"""

from collections.abc import Mapping
from time import time
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text, update

from synth.errors import AllowanceSpent
from synth.text.wording import counted, dollars
from ui.history.database import insert_unless_there
from ui.history.history import History
from ui.history.tables import RUN, USAGE

EVERYBODY = "everybody"
"""All visitors together."""

_DAY = 86_400  # seconds
_ROUNDING = 1e-9  # of sums of dollars
_OWN = (
    USAGE.c.who == bindparam("own_who"),
    USAGE.c.day == bindparam("own_day"),
    USAGE.c.kind == bindparam("own_kind"),
)
_ADD = update(USAGE).where(*_OWN).values(amount=USAGE.c.amount + bindparam("more"))
_READ = select(USAGE.c.amount).where(*_OWN)


class Most(NamedTuple):
    """How much of a kind one visitor, and everybody together, may use in a day; None is any."""

    one: float | None
    all: float | None


def take(
    history: History, who: str, amounts: Mapping[str, float], most: Mapping[str, Most], need: bool
) -> None:
    """Count what a visitor uses, by its kind; with `need`, AllowanceSpent and nothing is counted.

    That is raised where an amount is more than is left today for the visitor or for everybody.
    """
    with history.write() as connection:
        for kind, amount in amounts.items():
            limits = most[kind]
            for whose, limit in ((who, limits.one), (EVERYBODY, limits.all)):
                total = _added(connection, whose, kind, amount)
                if need and limit is not None and total > limit + _ROUNDING:
                    raise AllowanceSpent(_spent(kind, limit, everybody=whose == EVERYBODY))


def used(history: History, who: str, kind: str) -> tuple[float, float]:
    """How much of a kind a visitor, and everybody together, have used today."""
    with history.read() as connection:
        mine, all_of_them = (
            connection.scalar(_READ, _key(one, kind)) or 0.0 for one in (who, EVERYBODY)
        )
        return mine, all_of_them


def note(history: History, whose: str, kind: str) -> None:
    """Count one more of a kind for them today."""
    with history.write() as connection:
        _added(connection, whose, kind, 1)


def noted(history: History, whose: str) -> dict[str, int]:
    """How many of each kind were counted for them today."""
    today = select(USAGE.c.kind, USAGE.c.amount).where(USAGE.c.who == whose, USAGE.c.day == _day())
    with history.read() as connection:
        return {kind: int(amount) for kind, amount in connection.execute(today)}


def stored_runs(history: History, workspace: str) -> int:
    """How many runs of a workspace are kept."""
    kept = select(func.count()).select_from(RUN)
    with history.read() as connection:
        return connection.scalar(kept.where(RUN.c.workspace == workspace)) or 0


def stored_bytes(history: History) -> int:
    """How large the whole database is, in bytes; pages of a file that can be used anew are none."""
    with history.read() as connection:
        if connection.dialect.name == "postgresql":
            return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)
        pages, free, size = (
            int(connection.scalar(text(f"PRAGMA {name}")) or 0)
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size


def amount(kind: str, value: float) -> str:
    """An amount in words: "200 calls", "$1.50", "$0.0021"."""
    if kind == "dollars":
        return dollars(value)
    return counted(round(value), kind.removesuffix("s"))


def _added(connection: Connection, who: str, kind: str, more: float) -> float:
    key = _key(who, kind)
    if not connection.execute(_ADD, key | {"more": more}).rowcount:
        row = {"who": who, "day": key["own_day"], "kind": kind, "amount": 0.0}
        insert_unless_there(connection, insert(USAGE).values(row))
        connection.execute(delete(USAGE).where(USAGE.c.day < key["own_day"]))
        connection.execute(_ADD, key | {"more": more})
    return connection.scalar(_READ, key) or 0.0


def _key(who: str, kind: str) -> dict[str, str | int]:
    return {"own_who": who, "own_day": _day(), "own_kind": kind}


def _day() -> int:
    return int(time() // _DAY)


def _spent(kind: str, limit: float, *, everybody: bool) -> str:
    whose = "all its visitors together" if everybody else "each visitor"
    return (
        f"This server gives {whose} {amount(kind, limit)} a day, and this could cross that: go on"
        " tomorrow (UTC), or ask the operator."
    )
