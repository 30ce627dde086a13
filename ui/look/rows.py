"""Rows that open: a badge, the first words of a text and a note; opened, the whole text.

They are `<details>`, which open without a rerun.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from synth.html.markup import Html, tag
from synth.text.wording import counted, short

FIRST_WORDS = 200
"""Characters of a text in its row, of which the browser shows as many as there is room for."""
LONGEST = 8_000
"""Characters of a text that an opened row shows; the view Data has the whole texts."""

_NAMES = {"context": "chunk", "answer": "call"}


class Row(NamedTuple):
    """A text in a row: a piece of a chunk ("context"), or the answer of a call.

    `badge` is the number of the chunk or call, `detail` a word or two before the text, `note` the
    words at its end. A `muted` row is grey. `mark` is a class that other rules refer to. The row
    `says` something else than the first words of its text, if given.
    """

    kind: Literal["context", "answer"]
    badge: str
    text: str
    note: str = ""
    detail: str = ""
    muted: bool = False
    mark: str = ""
    says: str = ""


def rows_html(rows: Iterable[Row]) -> Html:
    """The rows one below the other, all of them closed."""
    return tag("div.rows.num", *map(_row, rows))


def _row(row: Row) -> Html:
    classes = ".".join(filter(None, ("row", f"row-{row.kind}", "dim" * row.muted, row.mark)))
    badge = tag("span.badge", tag("span.unseen", f"{_NAMES[row.kind]} "), row.badge)
    detail = tag("span.detail", row.detail) if row.detail else ""
    first = tag("span.first", row.says or short(row.text, FIRST_WORDS), dir="auto")
    head = tag("summary", badge, detail, first, tag("span.note", row.note))
    return tag(f"details.{classes}", head, tag("div.whole", *_whole(row.text), dir="auto"))


def _whole(text: str) -> Iterator[str]:
    """The text, or as much of it as a row shows, and how much is left."""
    yield text[:LONGEST]
    if (left := len(text) - LONGEST) > 0:
        yield "… "
        yield tag("span.muted", counted(left, "more character"))
