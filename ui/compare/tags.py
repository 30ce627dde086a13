"""What is said of a column in a word or two beside its name."""

from __future__ import annotations

from synth.wording import counted
from ui.compare.analysis import Entry
from ui.compare.analysis.text_sent import lost_tokens
from ui.compare.run_slots import RunSlot
from ui.compare.sharing import sends_the_same
from ui.compare.side import Side


def tags(side: Side, entry: Entry, made: bool) -> list[str]:
    """Whether it is the reference, what it loses, with which column it shares its prompts."""
    found = ["reference"] if made and side.is_reference else []
    run = entry.trace or entry.high
    if run is not None and run.calls and (lost := lost_tokens(run)):
        found.append(f"{counted(lost, 'token')} {'lost' if entry.trace else 'never sent'}")
    leader = side.shown.leader(side.slot)
    if leader != side.slot:
        return [*found, f"same prompts as {leader.column}: run once"]
    twin = _twin(side)
    return [*found, f"same prompts as {twin}, put together differently"] if twin else found


def _twin(side: Side) -> str | None:
    """An earlier column that sends the same prompts, but makes another answer of the replies."""
    for column in side.shown.columns:
        if column == side.column:
            return None
        other = RunSlot(column.name, side.question)
        requests = side.shown.request(other), side.shown.request(side.slot)
        if side.shown.leader(other) == other and sends_the_same(*requests, side.shown.plans):
            return column.name
    return None
