"""Waiting in tests, with a limit."""

from collections.abc import Callable
from time import monotonic, sleep

SECONDS = 60
"""Far more than anything takes on a busy machine: what is later than that never comes."""


def eventually(condition: Callable[[], object], what: str, seconds: float = SECONDS) -> None:
    """Wait until the condition holds, or fail with the words for what did not come."""
    end, pause = monotonic() + seconds, 0.001
    while not condition():
        assert monotonic() < end, f"After {seconds:g} seconds still not: {what}."
        sleep(pause)
        pause = min(2 * pause, 0.01)
