"""Small tables of two runs beside each other, as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from synth.wording import dollars, duration
from ui.history.differences import Differences
from ui.look.escape import escape

_WORDS: dict[str, Callable[[float], str]] = {"dollars": dollars, "seconds": duration}


def beside_html(head: Sequence[str], rows: Iterable[Sequence[str]], style: str = "") -> str:
    """A table whose first column names the rows; `head` names the others.

    `style` is a further class.
    """
    columns = "".join(f'<th scope="col">{escape(text)}</th>' for text in head)
    body = "".join(_row(row) for row in rows)
    return (
        f'<table class="beside num {style}"><thead><tr><td></td>{columns}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _row(row: Sequence[str]) -> str:
    name, *cells = row
    texts = "".join(f'<td dir="auto">{escape(text)}</td>' for text in cells)
    return f'<tr><th scope="row">{escape(name)}</th>{texts}</tr>'


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
