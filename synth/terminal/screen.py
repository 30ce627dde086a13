"""How things stand in a terminal: colours, widths, tables."""

from __future__ import annotations

import codecs
import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TextIO

from synth.text.wording import Bold, short, visible

_CODES = {
    "bold": "1",
    "muted": "90",
    "frame": "36",
    "template": "90",
    "query": "34",
    "variable": "35",
    "context": "32",
    "answer": "33",
    "reserved": "31",
    "padding": "90",
    "free": "90",
}
"""The codes of ANSI for two styles and for the kinds of text in a budget.

These sixteen colours are those of the terminal's own theme, so they suit a light and a dark one.
"""

_ELSEWHERE = 120  # columns where no terminal says how many it has
_NARROW = 100  # columns; in fewer, columns of a table stand closer


class Cell(NamedTuple):
    """A text in a table, its style, and whether it stands at the right of its column."""

    text: str
    style: str = ""
    right: bool = False


@dataclass(frozen=True)
class Screen:
    """What the terminal can show: so many columns, and colours."""

    columns: int
    colour: bool

    @classmethod
    def of(cls, stream: TextIO) -> Screen:
        """That of a stream; https://no-color.org says what NO_COLOR means."""
        known = stream.isatty() or "COLUMNS" in os.environ
        columns = shutil.get_terminal_size((_ELSEWHERE, 0)).columns if known else _ELSEWHERE
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return cls(columns, stream.isatty() and not plain)

    @property
    def narrow(self) -> bool:
        """Whether there is no room for a wide table."""
        return self.columns < _NARROW

    def styled(self, text: str, style: str) -> str:
        """The text in a style, if the terminal has colours."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.colour and style and text else text

    def sentence(self, parts: Sequence[str]) -> str:
        """A sentence whose bold parts are bold."""
        return "".join(self.styled(part, "bold" * isinstance(part, Bold)) for part in parts)

    def table(self, rows: Sequence[Sequence[Cell]]) -> list[str]:
        """Rows of equal length as lines; the last column ends as it likes."""
        columns = zip(*rows, strict=True)
        widths = [max(width(cell.text) for cell in column) for column in columns]
        gap = "  " if self.narrow else "   "
        return [gap.join(map(self._padded, row, widths)).rstrip() for row in rows]

    def _padded(self, cell: Cell, columns: int) -> str:
        space = " " * (columns - width(cell.text))
        styled = self.styled(cell.text, cell.style)
        return space + styled if cell.right else styled + space


def foreign(text: str, most: int) -> str:
    """A foreign text as one line of at most so many characters, which can't steer the terminal."""
    return visible(short(text, most))


def width(text: str) -> int:
    """The columns that a text takes: two for a wide character, such as a Chinese one."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def show(*lines: str) -> None:
    """Print lines; a sign that the terminal lacks is one of ASCII, any other letter "?"."""
    encoding = sys.stdout.encoding
    for line in lines:
        print(line.encode(encoding, "in ASCII").decode(encoding))


# Of the same width, so that tables stay in line.
_IN_ASCII = {
    **{"≤ ": "<=", "≤\u00a0": "<=", "≤": "<", "→": ">", "▸": ">", "✓": "+", "✕": "x", "–": "-"},
    **{"│": "|", "·": ".", "…": "~", "“": '"', "”": '"', "’": "'", "█": "#", "▒": "%"},
    "\u00a0": " ",
}


def _in_ascii(problem: UnicodeError) -> tuple[str, int]:
    assert isinstance(problem, UnicodeEncodeError)
    rest = problem.object[problem.start :]
    sign = next(filter(rest.startswith, _IN_ASCII), rest[0])
    return _IN_ASCII.get(sign, "?"), problem.start + len(sign)


codecs.register_error("in ASCII", _in_ascii)
