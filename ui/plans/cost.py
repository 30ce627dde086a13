"""The cost of a plan, and the parts of a cap that a run could cross, in words."""

import math
from collections.abc import Iterable

from synth.runs.bounds import Bounds
from synth.runs.prices import Price
from synth.runs.trace import Plan
from synth.text.wording import dollars, dollars_at_most, listed, told_apart
from ui.settings.model import CapLimits
from ui.settings.request import Model


def cost(model: Model, low: Plan, high: Plan) -> str:
    """The cost with short and with long answers, as the end of a plan's sentence."""
    if model.free or not high.call_count:
        return ""
    price = model.price
    if price is None:
        return ", price unknown"
    least, most = (dollars(price.of(p.prompt_tokens, p.output_tokens)) for p in (low, high))
    return f", {most}" if least == most else f", {least} to {most}"


def paid(dollars_paid: float | None) -> str:
    """What a run cost, as the end of its sentence; "" for one that costs nothing."""
    if dollars_paid is None:
        return ", price unknown"
    return f", {dollars(dollars_paid)}" if dollars_paid else ""


def cost_at_most(runs: Iterable[tuple[Model, Bounds]]) -> str:
    """The most that runs within these bounds would cost, as the end of a sentence."""
    paid = [(model.price, bounds) for model, bounds in runs if not model.free and bounds.calls.high]
    costs = [bounds.cost(price) for price, bounds in paid if price is not None]
    if not costs:
        return ", price unknown" if paid else ""
    partly = ", as far as prices are known" if len(costs) < len(paid) else ""
    return f", {dollars_at_most(sum(costs))}{partly}"


def crossing(bounds: Bounds, cap: CapLimits, price: Price | None) -> str | None:
    """A sentence about the parts of the cap that a run could cross; None if it can't cross any."""
    tokens = bounds.prompt_tokens.high + bounds.output_tokens.high
    crossed = [
        f"more than {most:,} {noun}" if wanted == math.inf else f"{wanted:,} {noun} (cap: {most:,})"
        for noun, most, wanted in (
            ("calls", cap.calls, bounds.calls.high),
            ("tokens", cap.tokens, tokens),
        )
        if most is not None and wanted > most
    ]
    most = cap.dollars
    if price is not None and most is not None and (worst := bounds.cost(price)) > most:
        limit, amount = told_apart(most, worst)
        crossed.append(f"more than {limit}" if worst == math.inf else f"{amount} (cap: {limit})")
    if not crossed:
        return None
    return f"The run could need {listed(crossed)}; it would stop before that."
