"""What a run tells while it goes on, and how it is to be driven."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import NamedTuple

from synth.calls import CallRecord
from synth.errors import SynthError
from synth.trace import Log, Trace


class Started(NamedTuple):
    """A call goes out; its record has no answer yet."""

    call: CallRecord


class Token(NamedTuple):
    """A piece of a reply; `verbatim` if it is a piece of the response itself."""

    number: int
    text: str
    verbatim: bool


class Answered(NamedTuple):
    """A call was answered, by the model or from the log."""

    call: CallRecord


class Failed(NamedTuple):
    """A call got no usable answer; the run ends."""

    call: CallRecord


class Finished(NamedTuple):
    """The end, with all that happened; `error` is what a caller of `run` would see raised."""

    trace: Trace
    error: SynthError | None


Event = Started | Token | Answered | Failed | Finished


@dataclass(frozen=True)
class Options:
    """How to drive a run.

    `concurrency` calls of a batch at once; `tokens` asks the model to stream every reply;
    `max_calls` is a cap on the whole run; answers in `log` are not asked again where the
    prompt is the same; once `stop` is set, no further call is sent.
    """

    concurrency: int = 1
    tokens: bool = False
    max_calls: int | None = None
    log: Log = field(default_factory=dict)
    stop: threading.Event = field(default_factory=threading.Event)
