"""A run in the background: a thread that reads events, and what it has read so far.

The thread never calls Streamlit. Pages look at the job when they are drawn, so a rerun,
another page or a refresh of the browser loses nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from time import monotonic

from synth.errors import SynthError
from synth.events import Answered, Event, Failed, Finished, Started, Token
from synth.trace import CallRecord, Trace
from ui.request import Request

Events = Callable[[threading.Event], Iterator[Event]]


class Job:
    """One run: `events` is called with the event that asks it to stop, and read to its end."""

    def __init__(self, request: Request, planned: int | None, events: Events) -> None:
        self.request = request
        self.planned = planned
        self.calls: dict[int, CallRecord] = {}
        self.arriving: dict[int, str] = {}
        self.trace: Trace | None = None
        self.problem: str | None = None
        self._began = monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(events,), daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the thread is still at work."""
        return self._thread.is_alive()

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop; calls that are under way may still be answered."""
        return self._stop.is_set()

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return monotonic() - self._began

    @property
    def done(self) -> int:
        """Calls that ended."""
        return sum(call.answer is not None for call in list(self.calls.values()))

    def stop(self) -> None:
        """Send no further call."""
        self._stop.set()

    def _work(self, events: Events) -> None:
        try:
            for event in events(self._stop):
                self._take(event)
        except SynthError as error:
            self.trace = self.trace or error.trace
            self.problem = str(error)
        except Exception as error:  # a defect of a mode or model; the page must say so
            self.problem = f"{type(error).__name__}: {error}"

    def _take(self, event: Event) -> None:
        match event:
            case Started(call=call) | Answered(call=call) | Failed(call=call):
                self.calls[call.number] = call
                self.arriving.pop(call.number, None)
            case Token(number=number, text=text):
                self.arriving[number] = self.arriving.get(number, "") + text
            case Finished(trace=trace):
                self.trace = trace
