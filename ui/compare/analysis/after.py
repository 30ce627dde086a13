"""What there is to say of a comparison after it was run."""

from __future__ import annotations

from collections.abc import Sequence

from ui.compare.analysis.entry import Entry, names
from ui.safe import Bold
from ui.words import counted


def findings(entries: Sequence[Entry], reference: int = 0) -> list[str]:
    """The sentence after a run, for `ui.safe.sentence_html`: two lines at most.

    `reference` is the place of the column that the others are compared with.
    """
    trace = entries[reference].trace if entries else None
    if trace is None:
        return []
    name = names(entries)[reference]
    return [Bold(f"{name} made {counted(trace.call_count, 'call')}"), "."]
