"""Count the answers of a class, for a day of UTC."""

from time import time

import sqlalchemy as sa

from ui.store.database import insert_unless_there
from ui.store.store import Store
from ui.store.tables import USAGE

DAY = 86_400  # seconds


def add(connection: sa.Connection, who: str, kind: str, amount: float) -> None:
    """Add to what is counted of a kind for them today; the rows of earlier days go."""
    day = _today()
    own = (USAGE.c.who == who, USAGE.c.day == day, USAGE.c.kind == kind)
    more = sa.update(USAGE).where(*own).values(amount=USAGE.c.amount + amount)
    if connection.execute(more).rowcount:
        return
    insert_unless_there(
        connection, sa.insert(USAGE).values(who=who, day=day, kind=kind, amount=0.0)
    )
    connection.execute(sa.delete(USAGE).where(USAGE.c.day < day))
    connection.execute(more)


def count_today(store: Store, who: str) -> dict[str, float]:
    """Return how much of each kind was counted for them today."""
    today = sa.select(USAGE.c.kind, USAGE.c.amount).where(
        USAGE.c.who == who, USAGE.c.day == _today()
    )
    with store.read() as connection:
        return {row.kind: row.amount for row in connection.execute(today)}


def _today() -> int:
    return int(time() // DAY)
