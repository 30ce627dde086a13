"""What keeps a history from being opened or written, in words."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

from synth.errors import SynthError

OTHER_PLACE = "name another database in SYNTH_DATABASE_URL"
_DAMAGED = ("is damaged", f"move the file away, so that a new one is made, or {OTHER_PLACE}")
_KNOWN = (
    ("disk is full", "has no room on its disk", "free some space"),
    ("locked", "is locked by another program", "close that program"),
    ("readonly", "can't be written", f"give this user the right to write it, or {OTHER_PLACE}"),
    (
        "unable to open",
        "can't be opened",
        f"see that its folder is there and may be written, or {OTHER_PLACE}",
    ),
    (
        "not a database",
        "is damaged",
        f"move the file away, so that a new one is made, or {OTHER_PLACE}",
    ),
    ("malformed", "is damaged", f"move the file away, so that a new one is made, or {OTHER_PLACE}"),
    ("I/O error", "can't be read or written", f"look after its disk, or {OTHER_PLACE}"),
)
"""What SQLite says, what that means, and what to do."""


class HistoryError(SynthError):
    """The history can't be opened, read or written; the message names the file and what to do."""


def unusable(place: str, error: Exception) -> HistoryError:
    """The error for a history at this place: a file, or an address without its password."""
    said = str(error.orig if isinstance(error, DBAPIError) else error).strip()
    for words, what, remedy in _KNOWN:
        if words in said:
            return HistoryError(f"The history in {place} {what}: {remedy}.")
    first = said.partition("\n")[0].rstrip(".")
    return HistoryError(
        f"The history in {place} can't be used ({first}): see that the database runs and may be"
        f" written, or {OTHER_PLACE}."
    )
