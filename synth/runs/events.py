"""The events of a run while it goes on, its cap, and the options of its driver."""

import threading
from dataclasses import dataclass, field
from typing import NamedTuple

from synth.errors import SynthError, number, require, whole
from synth.runs.calls import NOTHING_SPENT, AnswerCache, CallRecord, Log, Spent
from synth.runs.prices import Price
from synth.runs.trace import Trace


class Started(NamedTuple):
    """A call is sent next, or its answer is known and `replayed`; its record has no answer yet."""

    call: CallRecord


class Retrying(NamedTuple):
    """A call is sent again in `wait` seconds; its record has the reason and the number of tries."""

    call: CallRecord
    wait: float


class Token(NamedTuple):
    """A piece of a reply, empty while the model reasons; `written` is what it wrote instead."""

    number: int
    text: str
    verbatim: bool
    written: str | None = None


class Answered(NamedTuple):
    """A call was answered, by the model or from the log."""

    call: CallRecord


class Failed(NamedTuple):
    """A call got no usable answer; the run ends. One that never left has 0 `tries`."""

    call: CallRecord


class Finished(NamedTuple):
    """The end, with the whole trace; `error` is what `run` raises."""

    trace: Trace
    error: SynthError | None


Event = Started | Retrying | Token | Answered | Failed | Finished


@dataclass(frozen=True)
class Cap:
    """What a run may spend at most: calls, tokens (prompts and answers), US dollars.

    Every request counts as a call. None is sent that could cross the cap, with a reply that
    takes all its room; what it really took counts afterwards, by the larger count. A run that goes
    on counts what it had `spent`. SynthError for what is no number, `Price` or `Spent`.
    """

    calls: int | None = None
    tokens: int | None = None
    dollars: float | None = None
    price: Price | None = None
    spent: Spent = NOTHING_SPENT

    def __post_init__(self) -> None:
        for name, cap in (("calls", self.calls), ("tokens", self.tokens)):
            if cap is not None:
                whole(f"The cap of {name}", cap)
        if self.dollars is not None:
            number("The cap of dollars", self.dollars)
        if self.dollars is not None and self.price is None:
            raise SynthError("A cap in dollars needs a price: give one, or cap tokens instead.")
        require("The price of a cap is", self.price, Price | None, "a Price")
        require("The spent part of a cap is", self.spent, Spent, "a Spent")


@dataclass(frozen=True)
class RunOptions:
    """How to drive a run: `concurrency` calls of a batch at once, streamed if `tokens`."""

    concurrency: int = 1
    tokens: bool = False
    cap: Cap = Cap()
    log: Log = field(default_factory=dict)
    cache: AnswerCache | None = None
    stop: threading.Event = field(default_factory=threading.Event)
