"""Count for a day of UTC: answers of a class, and dollars that the operator's key pays."""

from datetime import UTC, datetime
from time import time

import sqlalchemy as sa

from synth.llms.models import model_facts
from ui.store.database import insert_unless_there
from ui.store.store import Store
from ui.store.tables import RUN, USAGE

DAY = 86_400  # seconds
LENT = "lent key"  # under which is counted what runs cost that were deleted today


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


def sum_paid_today(
    connection: sa.Connection, which: sa.ColumnElement[bool] = RUN.c.lent_key
) -> float:
    """Return the dollars of these runs of today that the operator's key paid, at list prices."""
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    tokens = sa.func.sum(RUN.c.prompt_tokens), sa.func.sum(RUN.c.output_tokens)
    today = sa.func.coalesce(RUN.c.ended, RUN.c.started) >= midnight
    chosen = sa.select(RUN.c.model, *tokens).where(which, RUN.c.lent_key, today)
    rows = connection.execute(chosen.group_by(RUN.c.model)).all()
    prices = [(model_facts(model).price, spent) for model, *spent in rows]
    return sum(price.of(*spent) for price, spent in prices if price is not None)


def _today() -> int:
    return int(time() // DAY)
