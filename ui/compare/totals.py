"""What the runs that are still to come would take together."""

from __future__ import annotations

from collections.abc import Sequence

from synth.bounds import Bounds
from synth.wording import at_most, counted, ranged
from ui.compare.lineup import Lineup
from ui.compare.run_slots import RunSlot, slot_runs
from ui.plan.cost import cost_at_most


def total(shown: Lineup, slots: Sequence[RunSlot]) -> str:
    """Calls, tokens, cost and longest chain of the runs at these slots, in one line.

    "" where there are none; what can't be planned is left out of the sums, and named.
    """
    if not slots:
        return ""
    found = [shown.plans[shown.request(slot)].bounds for slot in slots]
    planned = [bounds for bounds in found if bounds is not None]
    whole = Bounds.in_turn(planned)
    chain = [max(ends) for ends in zip(*(bounds.longest_chain for bounds in planned), strict=True)]
    head = f"Still to run: {counted(len(slots), 'run')}"
    if len(planned) < len(slots):
        head += f", {len(slots) - len(planned):,} of them not planned"
    if not whole.calls.high:
        return f"{head}." if len(planned) < len(slots) else f"{head}, without a call."
    return (
        f"{head} with {ranged(*whole.calls, 'call')}, {ranged(*whole.prompt_tokens)} prompt"
        f" tokens, {at_most(whole.output_tokens.high, 'output token')}{_cost(shown, slots)};"
        f" longest chain {ranged(*chain)}."
        f"{' Answers that are there already are not asked again.' * _begun(shown, slots)}"
    )


def _begun(shown: Lineup, slots: Sequence[RunSlot]) -> bool:
    """Whether a run at one of these slots ended early and left answers."""
    compared = slot_runs()
    there = [slot for slot in slots if slot in compared]
    return any(
        compared[slot].request == shown.request(slot) and compared[slot].job.answered
        for slot in there
    )


def _cost(shown: Lineup, slots: Sequence[RunSlot]) -> str:
    """The list price, whatever the answers say; "" where nothing could cost anything."""
    requests = [shown.request(slot) for slot in slots]
    planned = [(request.model, shown.plans[request].bounds) for request in requests]
    return cost_at_most((model, bounds) for model, bounds in planned if bounds is not None)
