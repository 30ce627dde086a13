"""What plans and runs cost, in words."""

from synth.modes.advice.what_if import Totals
from synth.runs.prices import Price
from synth.runs.trace import Plan
from synth.text.wording import dollars, round_up


def cost_range(price: Price, low: Plan | Totals, high: Plan | Totals) -> str:
    """Say the cost with short and with long answers, which is no bound: "$0.0005 to $0.0009"."""
    least, most = (dollars(price.of(one.prompt_tokens, one.output_tokens)) for one in (low, high))
    if least != most:
        return f"{least} to {most}"
    return most if most == "$0" or most[0] != "$" else f"about {most}"


def paid(dollars_paid: float | None, at_most: bool = False) -> str:
    """Say what a run cost, or `at_most` cost, to end its sentence; "" where that is nothing."""
    if dollars_paid is None:
        return ", price unknown"
    shown = round_up(dollars_paid) if at_most else dollars_paid
    return f", {dollars(shown)}" if shown else ""
