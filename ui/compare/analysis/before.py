"""What there is to say of a comparison before it is run."""

from __future__ import annotations

from collections.abc import Sequence

from ui.compare.analysis.entry import Entry
from ui.safe import Bold
from ui.words import counted


def planned_findings(entries: Sequence[Entry]) -> list[str]:
    """The sentence before a run, for `ui.safe.sentence_html`: two lines at most."""
    calls = sum(entry.plans[1].call_count for entry in entries if entry.plans)
    return ["Together they would make ", Bold(counted(calls, "call")), "."]
