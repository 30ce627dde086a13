"""Sums as on paper: signs at the left, amounts in a column, a rule above each result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ui.lessons.lesson import Line
from ui.look.escape import escape


def sums_html(sums: Iterable[Sequence[Line]]) -> str:
    """A table with a group of rows for each sum."""
    groups = ("".join(map(_row, lines)) for lines in sums)
    body = "".join(f"<tbody>{rows}</tbody>" for rows in groups)
    return f'<table class="sums" aria-label="The sums">{body}</table>'


def _row(line: Line) -> str:
    result = ' class="result"' if line.sign == "=" else ""
    amount = f"{line.amount:,}".replace("-", "−")
    return (
        f'<tr{result}><td class="sign">{escape(line.sign)}</td>'
        f'<th scope="row">{escape(line.label)}</th><td class="amount">{amount}</td></tr>'
    )
