"""What plans and runs cost, in words."""

from synth.modes.advice.what_if import Totals
from synth.runs.prices import Price
from synth.runs.trace import Plan
from synth.text.wording import dollars, rounded_up


def cost_range(price: Price, low: Plan | Totals, high: Plan | Totals) -> str:
    """The cost with short and with long answers: "$0.0005 to $0.0009", "about $0.0002".

    It is no bound: other answers can make more calls.
    """
    least, most = (dollars(price.of(one.prompt_tokens, one.output_tokens)) for one in (low, high))
    if least != most:
        return f"{least} to {most}"
    return most if most == "$0" or most[0] != "$" else f"about {most}"


def paid(dollars_paid: float | None, at_most: bool = False) -> str:
    """What a run cost, as the end of its sentence; "" for one that costs nothing.

    `at_most`: it is a bound.
    """
    if dollars_paid is None:
        return ", price unknown"
    shown = rounded_up(dollars_paid) if at_most else dollars_paid
    return f", {dollars(shown)}" if shown else ""
