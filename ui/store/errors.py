"""What keeps the store from being opened, read or written, in words."""

import logging

from sqlalchemy.exc import DBAPIError

from synth.errors import SynthError
from ui.session.host import host

_log = logging.getLogger(__name__)

OTHER_PLACE = "name another database in SYNTH_DATABASE_URL"
READ_ONLY = "can't be written", f"give this user the right to write it, or {OTHER_PLACE}"
_DAMAGED = "is damaged", f"move the file away, so that a new one is made, or {OTHER_PLACE}"
_LOCKED = "is locked by another program", "close that program"
AWAY = "is away with its folder", f"put the folder back, or {OTHER_PLACE}"
_KNOWN = {
    "disk is full": ("has no room on its disk", "free some space"),
    "locked": _LOCKED,
    "lock timeout": _LOCKED,
    "readonly": READ_ONLY,
    "Read-only file system": READ_ONLY,
    "unable to open": (
        "can't be opened",
        f"see that its folder is there and may be written, or {OTHER_PLACE}",
    ),
    "not a database": _DAMAGED,
    "malformed": _DAMAGED,
    "I/O error": ("can't be read or written", f"look after its disk, or {OTHER_PLACE}"),
}
"""What SQLite and the system say, what that means, and what to do."""

_TO_STRANGERS = (
    "The database of this server can't be used for this: its operator finds the reason in the log."
)


class StoreError(SynthError):
    """The store can't be opened, read or written; strangers are not told which file, nor why."""

    def __init__(self, message: str) -> None:
        if host().public:
            _log.error(message)
            message = _TO_STRANGERS
        super().__init__(message)


def worded_error(place: str, what: str, remedy: str) -> StoreError:
    """Make the error that says what is wrong with a store at this place, and what to do."""
    return StoreError(f"The history in {place} {what}: {remedy}.")


def store_error(place: str, error: Exception) -> StoreError:
    """Make the error for a store at this place: a file, or an address without its password."""
    text = str(error.orig if isinstance(error, DBAPIError) else error).strip()
    for words, (what, remedy) in _KNOWN.items():
        if words in text:
            return worded_error(place, what, remedy)
    first = text.partition("\n")[0].rstrip(".")
    return StoreError(
        f"The history in {place} can't be used ({first}): see that the database runs and may be"
        f" written, or {OTHER_PLACE}."
    )
