"""Sums as a table, as on paper: signs at the left, amounts in a column, a rule above a result."""

from __future__ import annotations

from collections.abc import Iterable

from ui.lessons.lesson import Sum, SumLine
from ui.look.escape import escape


def sums_html(sums: Iterable[Sum], name: str) -> str:
    """The sums one below the other; a number to find is a question mark. `name` is for readers."""
    groups = ("".join(map(_row, lines)) for lines in sums)
    body = "".join(f"<tbody>{rows}</tbody>" for rows in groups)
    return f'<table class="sums" aria-label="{escape(name)}">{body}</table>'


def _row(line: SumLine) -> str:
    result = ' class="result"' if line.sign == "=" else ""
    amount = "?" if line.amount is None else f"{line.amount:,}".replace("-", "−")
    reason = f' <span class="reason">{escape(line.reason)}</span>' if line.reason else ""
    return (
        f'<tr{result}><td class="sign">{escape(line.sign)}</td>'
        f'<th scope="row">{escape(line.label)}{reason}</th><td class="amount">{amount}</td></tr>'
    )
