"""Tables as text: rows of cells, with commas, semicolons or tabs between them."""

from __future__ import annotations

import csv
import re
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _csv import Reader

csv.field_size_limit(2**31 - 1)
"""One limit for the whole process: each reader bounds its text, and one cell may hold all of it."""


def table_rows(text: str) -> Reader:
    """The rows one by one, the header first; csv.Error for quotes that are not closed or doubled.

    The separator is the one that makes the most columns of the first line, outside of quotes.
    """
    first = re.sub('"[^"]*"', "", text.split("\n", 1)[0])
    separator = max(",;\t", key=first.count)
    return csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
