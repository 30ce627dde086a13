"""The calls of a run as a table in a file: CSV in which no spreadsheet computes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from synth.runs.trace import Trace
from ui.report.compared import Compared
from ui.report.reported import failure

if TYPE_CHECKING:
    import pandas as pd

_COMPUTED = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula, as OWASP lists it (CSV Injection)."""


def calls_table(trace: Trace) -> pd.DataFrame:
    """One row for each call, with the names of the library; not what a server said of a failure."""
    frame = trace.to_frame()
    frame["error"] = [
        failure(call.error, call.error_kind) if call.error else None for call in trace.calls
    ]
    return frame


def compared_calls(compared: Compared) -> pd.DataFrame:
    """The same of several runs, of which one made calls at least; the run's name comes first."""
    import pandas as pd  # noqa: PLC0415  slow to import

    frames = {name: calls_table(run.trace) for name, run in compared.runs if run.trace.calls}
    return pd.concat(frames, names=["run"]).reset_index("run")


def as_csv(frame: pd.DataFrame) -> bytes:
    """The table as CSV in UTF-8; a text that a spreadsheet would compute begins with a quote."""
    return frame.map(_inert).to_csv(index=False).encode("utf-8", "backslashreplace")


def _inert(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_COMPUTED) else value
