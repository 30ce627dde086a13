"""Rows that open: a badge, the first words of a text and a note; opened, the whole text.

They are `<details>`, which open without a rerun.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from synth.wording import counted, short
from ui.look.escape import escape

FIRST_WORDS = 200
"""Characters of a text in its row, of which the browser shows as many as there is room for."""
LONGEST = 8_000
"""Characters of a text that an opened row shows; the view Data has the whole texts."""

_NAMES = {"context": "chunk", "answer": "call"}


class Row(NamedTuple):
    """A text in a row: a piece of a chunk ("context"), or the answer of a call.

    `badge` is the number of the chunk or call, `detail` a word or two before the text, `note` the
    words at its end. A `muted` row is grey. `mark` is a class that other rules refer to.
    """

    kind: Literal["context", "answer"]
    badge: str
    text: str
    note: str = ""
    detail: str = ""
    muted: bool = False
    mark: str = ""


def rows_html(rows: Iterable[Row]) -> str:
    """The rows one below the other, all of them closed."""
    return f'<div class="rows num">{"".join(map(_row, rows))}</div>'


def _row(row: Row) -> str:
    classes = " ".join(filter(None, ("row", f"row-{row.kind}", "dim" * row.muted, row.mark)))
    detail = f'<span class="detail">{escape(row.detail)}</span>' if row.detail else ""
    return (
        f'<details class="{classes}"><summary>'
        f'<span class="badge"><span class="unseen">{_NAMES[row.kind]} </span>{escape(row.badge)}'
        f"</span>{detail}"
        f'<span class="first" dir="auto">{escape(short(row.text, FIRST_WORDS))}</span>'
        f'<span class="note">{escape(row.note)}</span></summary>'
        f'<div class="whole" dir="auto">{_whole(row.text)}</div></details>'
    )


def _whole(text: str) -> str:
    """The text, or as much of it as a row shows, and how much is left."""
    if len(text) <= LONGEST:
        return escape(text)
    more = counted(len(text) - LONGEST, "more character")
    return f'{escape(text[:LONGEST])}… <span class="muted">{more}</span>'
