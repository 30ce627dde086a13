"""What the runs that are still to come would take together."""

from __future__ import annotations

from collections.abc import Sequence

from synth.wording import counted, dollars, ranged
from ui import model, workspace
from ui.compare.lineup import Lineup
from ui.workspace import Place


def total(shown: Lineup, places: Sequence[Place]) -> str:
    """Calls, tokens, cost and longest chain of the runs at these places, in one line.

    "" where there are none; what can't be planned is left out of the sums, and named.
    """
    if not places:
        return ""
    plans = [
        (place, shown.outlooks[shown.request(place)].low, shown.outlooks[shown.request(place)].high)
        for place in places
    ]
    planned = [(place, low, high) for place, low, high in plans if low and high]
    calls = _span([(low.call_count, high.call_count) for _, low, high in planned], "call")
    prompts = _span([(low.prompt_tokens, high.prompt_tokens) for _, low, high in planned])
    outputs = sum(high.output_tokens for _, _, high in planned)
    chain = max((high.longest_chain for _, _, high in planned), default=0)
    head = f"Still to run: {counted(len(places), 'run')}"
    if len(planned) < len(places):
        head += f", {len(places) - len(planned):,} of them not planned"
    if not chain:
        return f"{head}." if len(planned) < len(places) else f"{head}, without a call."
    return (
        f"{head} with {calls}, {prompts} prompt tokens,"
        f" at most {outputs:,} output tokens{_cost(shown, places)}; longest chain {chain:,}."
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


def _span(pairs: Sequence[tuple[int, int]], noun: str = "") -> str:
    least, most = (sum(map(of, pairs)) for of in (min, max))
    return ranged(least, most, noun)


def _cost(shown: Lineup, places: Sequence[Place]) -> str:
    """The list price, from short answers to long ones; "" where nothing could cost anything."""
    least = most = 0.0
    paid, unknown = False, False
    for place in places:
        get, found = shown.settings(place), shown.outlooks[shown.request(place)]
        if model.kind(get) != "endpoint" or found.low is None or found.high is None:
            continue
        price = model.price(get)
        if price is None:
            unknown = unknown or bool(found.high.calls)
            continue
        paid = True
        plans = (found.low, found.high)
        costs = [price.of(plan.prompt_tokens, plan.output_tokens) for plan in plans]
        least, most = least + min(costs), most + max(costs)
    if not paid:
        return ", price unknown" if unknown else ""
    spent = dollars(most) if least == most else f"{dollars(least)} to {dollars(most)}"
    return f", {spent}{' and more, since not all prices are known' if unknown else ''}"
