"""The moments of a database: times that only grow, even where a clock is set back."""

from __future__ import annotations

from time import time

from sqlalchemy import Connection, func, select

from ui.history.tables import Run, SavedWorkspace

_STEP = 0.001  # seconds
_LATEST = tuple(select(func.max(column)) for column in (Run.moment, SavedWorkspace.saved))


def next_moment(connection: Connection) -> float:
    """The time now; just after the latest moment of the database if a clock was set back since."""
    latest = (connection.scalar(moment) or 0.0 for moment in _LATEST)
    return max(time(), max(latest) + _STEP)
