"""Which columns ended without an answer, and how far they came."""

from __future__ import annotations

from collections.abc import Mapping

from synth.wording import counted, listed
from ui.compare.analysis.entry import Entry
from ui.look.escape import Bold


def troubles(named: Mapping[str, Entry]) -> list[str]:
    """The sentence on them, of columns by name; up to two are told one by one."""
    endings = {name: how for name, entry in named.items() if (how := _ending(entry))}
    if len(endings) > 2:
        return [Bold(f"{len(endings):,} columns have no answer"), f": {listed([*endings])}."]
    parts = [part for name, how in endings.items() for part in ("; ", Bold(name), f" {how}")]
    return [*parts[1:], "."] if parts else []


def _ending(entry: Entry) -> str:
    if entry.answer is not None:
        return ""
    if entry.refused is not None:
        return "was refused"
    if entry.trace is None:
        return "failed" if entry.problem else ""
    answered = sum(call.answer is not None for call in entry.trace.calls)
    how = "was stopped" if entry.trace.stopped else "failed"
    when = f"after {counted(answered, 'answer')}" if answered else "before its first answer"
    return f"{how} {when}"
