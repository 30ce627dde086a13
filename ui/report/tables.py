"""The calls of a run as a table in a file: CSV, in which no spreadsheet computes, and parquet."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from synth.trace import Plan, Trace

if TYPE_CHECKING:
    import pandas as pd

_COMPUTED = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula, as OWASP lists it (CSV Injection)."""


def calls_csv(run: Plan | Trace) -> bytes:
    """One row for each call, with the names of the library."""
    return as_csv(run.to_frame())


def as_csv(frame: pd.DataFrame) -> bytes:
    """The table as CSV in UTF-8; a text that a spreadsheet would compute begins with a quote."""
    inert = frame.map(lambda value: f"'{value}" if _computed(value) else value)
    return inert.to_csv(index=False).encode("utf-8", "backslashreplace")


def _computed(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(_COMPUTED)


def calls_parquet(run: Trace) -> bytes:
    """One row for each call, as parquet; halves of surrogate pairs are written as escapes."""
    frame = run.to_frame().map(
        lambda value: (
            value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
        )
    )
    file = BytesIO()
    frame.to_parquet(file, index=False)
    return file.getvalue()
