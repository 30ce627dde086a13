"""What the operator's key has paid today, by day of UTC, counted from the runs that are saved."""

from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, func, select

from synth.llms.models import model_facts
from ui.history.tables import RUN

LENT = "lent key"  # under which is counted what runs cost that were deleted today


def paid_today(connection: Connection, which: ColumnElement[bool] = RUN.c.lent_key) -> float:
    """Dollars for these runs at list prices, since a visitor may type a price of their own."""
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    tokens = func.sum(RUN.c.prompt_tokens), func.sum(RUN.c.output_tokens)
    today = func.coalesce(RUN.c.ended, RUN.c.started) >= midnight
    chosen = select(RUN.c.model, *tokens).where(which, RUN.c.lent_key, today)
    rows = connection.execute(chosen.group_by(RUN.c.model)).all()
    prices = [(model_facts(model).price, spent) for model, *spent in rows]
    return sum(price.of(*spent) for price, spent in prices if price is not None)
