"""What plans and runs cost, in words."""

import math

from synth.runs.bounds import Bounds
from synth.runs.prices import Price
from synth.runs.trace import Plan
from synth.text.wording import dollars, dollars_at_most


def cost_range(price: Price, low: Plan, high: Plan) -> str:
    """Say the cost with short and with long answers, and with what is likely cached."""
    least, most = (dollars(price.of(*plan.spent.tokens)) for plan in (low, high))
    return most if least == most else f"{least} to {most}"


def planned_cost(price: Price, low: Plan, high: Plan, bounds: Bounds | None) -> str:
    """Say what a plan costs likely and at most: "likely $0.0005 to $0.0009, at most $0.0011"."""
    likely = f"likely {cost_range(price, low, high)}"
    most = math.inf if bounds is None else bounds.cost(price)
    return likely if math.isinf(most) or not most else f"{likely}, {dollars_at_most(most)}"


def paid(dollars_paid: float | None, is_billed: bool = False) -> str:
    """Say what a run cost, or was billed, to end its sentence; "" where that is nothing."""
    if dollars_paid is None:
        return ", price unknown"
    billed = "billed " if is_billed else ""
    return f", {billed}{dollars(dollars_paid)}" if dollars_paid else ""
