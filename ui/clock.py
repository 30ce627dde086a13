"""Work that is done again and again while a server lives."""

import threading
from collections.abc import Callable


class Clock:
    """Calls a function every so many seconds, in its own thread, until ended or it raises."""

    def __init__(self, seconds: float, work: Callable[[], object]) -> None:
        self._seconds, self._work = seconds, work
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._go_on, daemon=True)
        self._thread.start()

    def end(self, wait: bool = False) -> None:
        """Call the function no more; a call that goes on is waited for if that is asked."""
        self._ended.set()
        if wait and self._thread is not threading.current_thread():
            self._thread.join()

    def _go_on(self) -> None:
        while not self._ended.wait(self._seconds):
            self._work()
