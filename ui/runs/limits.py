"""What the operator of this server limits: dollars of the lent key in a day, and stored bytes."""

import math
from dataclasses import replace

from synth.errors import SynthError
from synth.llms.models import model_facts
from synth.runs.events import Cap
from synth.text.wording import dollars
from ui.session.host import host
from ui.store import counts
from ui.store.store import current_store


def require_dollars() -> float:
    """Return the dollars that are left of today; SynthError if none, or if they are not known."""
    store, most = current_store(), host().server_dollars_a_day or 0.0
    if any(item.problem is not None for item in list(store.waiting)):
        raise SynthError("Runs can't be saved, so what this server's key pays can't be counted.")
    deleted = counts.count_today(store, counts.LENT).get("dollars", 0.0)
    with store.read() as connection:
        spent = deleted + counts.sum_paid_today(connection)
    if spent >= most:
        raise SynthError(
            f"This server's key has paid {dollars(spent)} today, and it pays {dollars(most)} a day:"
            " go on tomorrow (UTC), or type a key of your own."
        )
    return most - spent


def lower(cap: Cap, model: str) -> Cap:
    """Return the cap of a run that the lent key pays: no more than is left of today."""
    price = model_facts(model).price
    assert price is not None  # else the key is not lent
    own = math.inf if cap.dollars is None else cap.dollars
    most = price.of(*cap.spent.tokens) + require_dollars()
    return replace(cap, dollars=min(most, own), price=price)


def require_room() -> None:
    """Raise SynthError where the database of this server is as large as it may be."""
    most = host().stored_mb
    if most is not None and current_store().database().stored_bytes() >= most * 1_000_000:
        raise SynthError(f"This server keeps {most:,} MB, its most: ask its operator to make room.")
