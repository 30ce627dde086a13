"""Sums as a table, as on paper: signs at the left, amounts in a column, a rule above a result."""

from __future__ import annotations

from collections.abc import Iterable

from ui.lessons.lesson import Sum, SumLine
from ui.look.html import Html, tag


def sums_html(sums: Iterable[Sum], name: str) -> Html:
    """The sums one below the other; a number to find is a question mark. `name` is for readers."""
    bodies = (tag("tbody", *map(_row, lines)) for lines in sums)
    return tag("table.sums", *bodies, aria_label=name)


def _row(line: SumLine) -> Html:
    amount = "?" if line.amount is None else f"{line.amount:,}".replace("-", "−")
    reason = (" ", tag("span.reason", line.reason)) if line.reason else ()
    return tag(
        "tr.result" if line.sign == "=" else "tr",
        tag("td.sign", line.sign),
        tag("th", line.label, *reason, scope="row"),
        tag("td.amount", amount),
    )
