"""What plans and runs cost, in words."""

from synth.modes.advice.what_if import Totals
from synth.runs.prices import Price
from synth.runs.trace import Plan
from synth.text.wording import dollars


def cost_range(price: Price, low: Plan | Totals, high: Plan | Totals) -> str:
    """Say the cost with short and with long answers, which is no bound: "$0.0005 to $0.0009"."""
    least, most = (dollars(price.of(one.prompt_tokens, one.output_tokens)) for one in (low, high))
    if least != most:
        return f"{least} to {most}"
    return most if most == "$0" or most[0] != "$" else f"about {most}"


def paid(dollars_paid: float | None) -> str:
    """Say what a run cost, to end its sentence; "" where that is nothing."""
    if dollars_paid is None:
        return ", price unknown"
    return f", {dollars(dollars_paid)}" if dollars_paid else ""
