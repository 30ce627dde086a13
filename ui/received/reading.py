"""What was received, read as syntheses when a page asks, and anew only when more has come."""

import threading
from collections import OrderedDict
from collections.abc import Sequence

from synth.errors import SynthError
from synth.traces.growing import Growing, growing
from ui.received import store
from ui.received.store import ReceivedTrace
from ui.session.apart import apart_if_long

_REMEMBERED = 20_000_000  # characters of the spans of all traces that are remembered

_REPEATED = 10
"""Characters of a trace that take as long to read as one of another file.

A span repeats the texts of those in it: that of an agent with twelve calls has 190,000 characters,
and is read in a hundredth of a second. A process for it would take seconds to start.
"""

Read = Sequence[Growing] | SynthError
"""The syntheses of a trace, or why it can't be read."""

_lock = threading.Lock()
_remembered: OrderedDict[tuple[str, ReceivedTrace], Read] = OrderedDict()


def syntheses(trace: ReceivedTrace) -> Read:
    """The syntheses of a trace, in order; HistoryError if the database can't be read.

    A trace that may take long is read in a process of its own, which is ended after 20 seconds.
    """
    key = store.place(), trace
    with _lock:
        if key in _remembered:
            _remembered.move_to_end(key)
            return _remembered[key]
    spans = store.spans(trace.trace_id)
    try:
        read: Read = apart_if_long(trace.size // _REPEATED, growing, spans)
    except SynthError as problem:
        read = problem
    _remember(key, read)
    return read


def clear() -> None:
    """Delete all that was received, in the database and here. HistoryError."""
    store.clear()
    with _lock:
        _remembered.clear()


def _remember(key: tuple[str, ReceivedTrace], read: Read) -> None:
    """Remember this in place of what the trace was before; those not looked at longest go first."""
    with _lock:
        for other in [one for one in _remembered if one[1].trace_id == key[1].trace_id]:
            del _remembered[other]
        _remembered[key] = read
        while sum(trace.size for _, trace in _remembered) > _REMEMBERED and len(_remembered) > 1:
            _remembered.popitem(last=False)
