"""The books of one run: calls numbered, costs held against the cap, the trace written.

Nothing here waits for anything. The drivers of run.py ask for a batch, send it in their
own way, and hand every piece of every reply to a `Reply` of reply.py, which enters it here.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import NamedTuple

from synth.account import Account
from synth.calls import CallRecord, Logged, Setup, prompt_hash
from synth.errors import CapReached, ModelError, Stopped, SynthError
from synth.events import Finished, Options
from synth.steps import Answer, Call, Done, Steps, advance
from synth.trace import Trace


class Asked(NamedTuple):
    """A call of the batch at hand, and its record before any answer."""

    call: Call
    record: CallRecord


class Ledger:
    """The books of one run."""

    def __init__(
        self, setup: Setup, steps: Steps, options: Options, identity: str | None = None
    ) -> None:
        self.setup = setup
        self.options = options
        self._identity = identity
        self._steps = steps
        self._began = time.perf_counter()
        self._batch: list[Asked] | None = None
        self._numbered = 0
        self._depth = 0
        self._ended: dict[int, CallRecord] = {}
        self._errors: dict[int, SynthError | Stopped] = {}
        self._response: str | None = None
        self._problem: SynthError | Stopped | None = None
        self._left = False
        self._account = Account(options.cap, setup.num_output)

    def next_batch(self) -> list[Asked]:
        """The calls to send now; none once the run has ended, one way or another."""
        try:
            calls = advance(self._steps, None if self._batch is None else self._answers())
            if isinstance(calls, Done):
                self._response = calls.response
                return []
            self._batch = self._place(calls)
        except (SynthError, Stopped) as problem:
            self._problem = problem
            return []
        return self._batch

    def _answers(self) -> list[Answer]:
        """The answers to the batch at hand; its first failure, or a stop, is raised."""
        batch = self._batch or []
        for asked in batch:
            if asked.record.number in self._errors:
                raise self._errors[asked.record.number]
        if any(asked.record.number not in self._ended for asked in batch):
            raise Stopped
        self._depth += 1
        ended = [self._ended[asked.record.number] for asked in batch]
        return [Answer(record.number, record.answer or "", record.satisfied) for record in ended]

    def _place(self, calls: list[Call]) -> list[Asked]:
        first, self._numbered = self._numbered + 1, self._numbered + len(calls)
        return [Asked(call, self._record(number, call)) for number, call in enumerate(calls, first)]

    def _record(self, number: int, call: Call) -> CallRecord:
        return CallRecord(
            number=number,
            depth=self._depth,
            template=call.template,
            prompt=call.prompt,
            padding=call.padding,
            notes=call.notes,
            prompt_tokens=call.prompt.tokens(self.setup.tokenizer),
        )

    @property
    def halted(self) -> bool:
        """Whether no further call may go out."""
        return self._left or bool(self._errors) or self.options.stop.is_set()

    def leave(self) -> None:
        """Nobody reads the events any more."""
        self._left = True

    def clock(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self._began

    def keep(self, record: CallRecord) -> CallRecord:
        """Enter the record of a call that ended."""
        self._ended[record.number] = record
        return record

    def fail(self, number: int, error: SynthError | Stopped) -> None:
        """Enter a failure; the run ends with the first of the batch."""
        self._errors[number] = error

    def recall(self, asked: Asked) -> CallRecord | None:
        """The record with an answer to this very prompt, if the log or the cache has one."""
        known = self.options.log.get(asked.record.number)
        if known is None or known.prompt_hash != prompt_hash(asked.record.prompt):
            known = self._cached(asked)
        if known is None:
            return None
        return self.keep(
            replace(asked.record, **known.fields(), started=self.clock(), replayed=True)
        )

    def admit(self, asked: Asked) -> bool:
        """Whether the call may be sent; where it would cross the cap, the run ends there."""
        try:
            self._account.reserve(asked.record)
        except CapReached as problem:
            self.fail(asked.record.number, problem)
            return False
        return True

    def admit_again(self, record: CallRecord, problem: ModelError) -> None:
        """Let a call's next request out; its problem is raised where that could cross the cap."""
        try:
            self._account.reserve_again(record)
        except CapReached as cap:
            raise type(problem)(f"{problem} {cap}") from cap

    def settle(self, asked: Asked, record: CallRecord) -> CallRecord:
        """Enter the record of a call that was sent, and what it really cost."""
        self._account.settle(record)
        key, logged = self._cache_key(asked), record.logged()
        if self.options.cache is not None and key is not None and logged is not None:
            self.options.cache.put(key, logged)
        return self.keep(record)

    def _cached(self, asked: Asked) -> Logged | None:
        key = self._cache_key(asked)
        if self.options.cache is None or key is None:
            return None
        return self.options.cache.get(key)

    def _cache_key(self, asked: Asked) -> str | None:
        """What an answer depends on; None where none is kept."""
        if self.options.cache is None or self._identity is None:
            return None
        schema = "" if asked.call.schema is None else str(asked.call.schema.model_json_schema())
        return "\n".join([self._identity, schema, prompt_hash(asked.record.prompt)])

    def finished(self) -> Finished:
        """The end of the run, with its trace."""
        error = self._problem if isinstance(self._problem, SynthError) else None
        trace = Trace(
            setup=self.setup,
            calls=tuple(self._ended[number] for number in sorted(self._ended)),
            response=self._response,
            error=None if error is None else str(error),
            error_kind=None if error is None else type(error).__name__,
            stopped=isinstance(self._problem, Stopped),
            seconds=self.clock(),
        )
        if error is not None:
            error.trace = trace
        return Finished(trace, error)
