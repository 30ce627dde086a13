"""Work that is done again and again while a server lives."""

import threading
from collections.abc import Callable


class Clock:
    """Calls a function every so many seconds, in a thread of its own, until it is ended.

    The thread ends with what the function raises: one that must go on raises nothing.
    """

    def __init__(self, seconds: float, work: Callable[[], object]) -> None:
        self._seconds, self._work = seconds, work
        self._ended = threading.Event()
        threading.Thread(target=self._go_on, daemon=True).start()

    def end(self) -> None:
        """Call the function no more; a call that goes on is not waited for."""
        self._ended.set()

    def _go_on(self) -> None:
        while not self._ended.wait(self._seconds):
            self._work()
