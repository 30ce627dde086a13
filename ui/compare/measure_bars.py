"""The measures of one column as HTML: name, bar and number, each measure on one scale."""

from __future__ import annotations

from collections.abc import Sequence

from ui.compare.analysis.measures import CUT_OFF, MeasureRow
from ui.look.escape import escape
from ui.look.glossary import term_html


def measures_html(rows: Sequence[MeasureRow], position: int) -> str:
    """The measures of the column at this position; a full bar is the largest of all columns,
    and of shares the whole.

    The numbers take as much room in each column, so that equal bars are equally long.
    """
    letters = max((len(value) for row in rows for value in row.values), default=0)
    cells = "".join(_row(row, position) for row in rows)
    return f'<div class="measures num" style="--letters: {letters}ch">{cells}</div>'


def _row(row: MeasureRow, position: int) -> str:
    name = escape(row.name) if position else term_html(row.name)  # explained once
    amount, value = row.amounts[position], row.values[position]
    most = row.whole or max((amount for amount in row.amounts if amount), default=0)
    bar = ""
    if amount:
        kinds = ["bar", *["k-lost"] * (row.name == CUT_OFF)]
        kinds += ["estimate"] * row.estimated[position]
        bar = f'<i class="{" ".join(kinds)}" style="width: {100 * amount / most:.1f}%"></i>'
    number = "muted" if amount is None else "number"
    return (
        f"<span>{name}</span>"
        f'<span class="scale">{bar or "&nbsp;"}</span>'
        f'<span class="{number}">{escape(value)}</span>'
    )
