"""What a class answered: a row for each answer, for a day."""

from collections import Counter
from time import time

import sqlalchemy as sa

from ui.store.store import Store
from ui.store.tables import CLASS_ANSWER

_DAY = 86_400  # seconds


def add(store: Store, group: str, answer: str) -> None:
    """Count an answer of a class, or the reveal; what was answered a day ago goes."""
    with store.write() as connection:
        connection.execute(sa.delete(CLASS_ANSWER).where(CLASS_ANSWER.c.came < time() - _DAY))
        row = {"class": group, "answer": answer, "came": time()}
        connection.execute(sa.insert(CLASS_ANSWER), row)


def count(store: Store, group: str) -> Counter[str]:
    """Return how often each answer of a class was given."""
    chosen = sa.select(CLASS_ANSWER.c.answer).where(CLASS_ANSWER.c["class"] == group)
    with store.read() as connection:
        return Counter(connection.scalars(chosen))
