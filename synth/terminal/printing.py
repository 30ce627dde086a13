"""How lines and plain tables are printed."""

import sys
from collections.abc import Iterable, Sequence

from synth.text.wording import reveal, short

QUESTION, REASON = 44, 300  # characters that are shown


def format_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of equal length as lines whose columns stand below one another."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["   ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def format_foreign(text: str, most: int) -> str:
    """Return a foreign text as one line of so many characters, which can't steer the terminal."""
    return reveal(short(text, most))


def show(lines: Iterable[str]) -> None:
    """Print lines; a letter that the terminal lacks is a question mark."""
    encoding = sys.stdout.encoding
    for line in lines:
        print(line.encode(encoding, "replace").decode(encoding))
