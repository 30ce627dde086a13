"""What keeps a history from being opened or written, in words."""

import logging

from sqlalchemy.exc import DataError, DBAPIError

from synth.errors import SynthError
from ui.session.host import host

_log = logging.getLogger(__name__)

OTHER_PLACE = "name another database in SYNTH_DATABASE_URL"
_KNOWN = (
    ("disk is full", "has no room on its disk", "free some space"),
    ("locked", "is locked by another program", "close that program"),
    ("lock timeout", "is locked by another program", "close that program"),
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


_TO_STRANGERS = (
    "The database of this server can't be used for this: its operator finds the reason in the log."
)


class HistoryError(SynthError):
    """The history can't be opened, read or written; the message names the file and what to do.

    On a public server that stands in the log alone.
    """

    def __init__(self, message: str) -> None:
        if host().public:
            _log.error(message)
            message = _TO_STRANGERS
        super().__init__(message)


class UnfitError(HistoryError):
    """The database refuses these very values, now and later."""


def gone(place: str) -> HistoryError:
    """The error for a file whose folder is not there."""
    return HistoryError(
        f"The history in {place} is away with its folder: put the folder back, or {OTHER_PLACE}."
    )


def unusable(place: str, error: Exception) -> HistoryError:
    """The error for a history at this place: a file, or an address without its password."""
    kind = UnfitError if isinstance(error, DataError) else HistoryError
    said = str(error.orig if isinstance(error, DBAPIError) else error).strip()
    for words, what, remedy in _KNOWN:
        if words in said:
            return HistoryError(f"The history in {place} {what}: {remedy}.")
    first = said.partition("\n")[0].rstrip(".")
    return kind(
        f"The history in {place} can't be used ({first}): see that the database runs and may be"
        f" written, or {OTHER_PLACE}."
    )
