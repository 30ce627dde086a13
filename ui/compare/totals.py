"""What the runs that are still to come would take together."""

from __future__ import annotations

from collections.abc import Sequence

from synth.bounds import Bounds
from synth.wording import at_most, counted, dollars_at_most, ranged
from ui.compare.lineup import Lineup
from ui.session import workspace
from ui.session.workspace import Place
from ui.settings import model


def total(shown: Lineup, places: Sequence[Place]) -> str:
    """Calls, tokens, cost and longest chain of the runs at these places, in one line.

    "" where there are none; what can't be planned is left out of the sums, and named.
    """
    if not places:
        return ""
    found = [shown.outlooks[shown.request(place)].bounds for place in places]
    planned = [bounds for bounds in found if bounds is not None]
    whole = Bounds.in_turn(planned)
    chain = [max(ends) for ends in zip(*(bounds.longest_chain for bounds in planned), strict=True)]
    head = f"Still to run: {counted(len(places), 'run')}"
    if len(planned) < len(places):
        head += f", {len(places) - len(planned):,} of them not planned"
    if not whole.calls.high:
        return f"{head}." if len(planned) < len(places) else f"{head}, without a call."
    return (
        f"{head} with {ranged(*whole.calls, 'call')}, {ranged(*whole.prompt_tokens)} prompt"
        f" tokens, {at_most(whole.output_tokens.high, 'output token')}{_cost(shown, places)};"
        f" longest chain {ranged(*chain)}."
        f"{' Answers that are there already are not asked again.' * _begun(shown, places)}"
    )


def _begun(shown: Lineup, places: Sequence[Place]) -> bool:
    """Whether a run at one of these places ended early and left answers."""
    compared = workspace.current().compared
    there = [place for place in places if place in compared]
    return any(
        compared[place].request == shown.request(place) and compared[place].job.answered
        for place in there
    )


def _cost(shown: Lineup, places: Sequence[Place]) -> str:
    """The list price, whatever the answers say; "" where nothing could cost anything."""
    most = 0.0
    paid, unknown = False, False
    for place in places:
        get, found = shown.settings(place), shown.outlooks[shown.request(place)]
        if model.kind(get) != "endpoint" or found.bounds is None:
            continue
        price = model.price(get)
        if price is None:
            unknown = unknown or found.bounds.calls.high > 0
            continue
        paid = True
        most += found.bounds.cost(price)
    if not paid:
        return ", price unknown" if unknown else ""
    more = " and more, since not all prices are known" if unknown else ""
    return f", {dollars_at_most(most)}{more}"
