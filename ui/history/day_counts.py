"""What is counted for a day and belongs to no workspace: answers of a class, dollars of a lent key.

A day is one of UTC. The rows of a day go with the first that is written on a later one.
"""

from time import time

from sqlalchemy import Connection, delete, insert, select, update

from ui.history.database import insert_unless_there
from ui.history.history import History
from ui.history.tables import USAGE

DAY = 86_400  # seconds


def add(connection: Connection, who: str, kind: str, amount: float) -> None:
    """Add to what is counted of a kind for them today."""
    day = _today()
    own = (USAGE.c.who == who, USAGE.c.day == day, USAGE.c.kind == kind)
    more = update(USAGE).where(*own).values(amount=USAGE.c.amount + amount)
    if connection.execute(more).rowcount:
        return
    row = {"who": who, "day": day, "kind": kind, "amount": 0.0}
    insert_unless_there(connection, insert(USAGE).values(row))
    connection.execute(delete(USAGE).where(USAGE.c.day < day))
    connection.execute(more)


def counted_today(history: History, who: str) -> dict[str, float]:
    """How much of each kind was counted for them today."""
    today = select(USAGE.c.kind, USAGE.c.amount).where(USAGE.c.who == who, USAGE.c.day == _today())
    with history.read() as connection:
        return {row.kind: row.amount for row in connection.execute(today)}


def _today() -> int:
    return int(time() // DAY)
