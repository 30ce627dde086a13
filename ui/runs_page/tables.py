"""Small tables of two runs beside each other, as HTML."""

from __future__ import annotations

from collections.abc import Callable

from synth.text.wording import dollars, duration
from ui.history.differences import Differences

_WORDS: dict[str, Callable[[float], str]] = {"dollars": dollars, "seconds": duration}


def measure_rows(found: Differences) -> list[tuple[str, str, str, str]]:
    """The measures of both runs, and the second against the first."""
    rows = []
    for measure in found.measures:
        say = _WORDS.get(measure.name, lambda number: f"{number:,}")
        values = [
            "unknown" if value is None else say(value) for value in (measure.before, measure.after)
        ]
        change = ""
        if measure.before is not None and measure.after is not None:
            change = _change(measure.after - measure.before, say)
        rows.append((measure.name, values[0], values[1], change))
    return rows


def _change(more: float, say: Callable[[float], str]) -> str:
    if not more:
        return "same"
    return f"{'+' if more > 0 else '−'}{say(abs(more))}"
