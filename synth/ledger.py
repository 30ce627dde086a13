"""The books of one run: calls numbered, replies read, the trace written.

Nothing here waits for anything. The drivers of run.py ask for a batch, send it in their
own way, and hand every piece of every reply to a `Reply`, which says what to tell.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pydantic import ValidationError

from synth.account import Account
from synth.calls import CallRecord, Logged, Setup, prompt_hash
from synth.errors import BadResponse, CapReached, ModelError, Stopped, SynthError
from synth.events import Answered, Event, Failed, Finished, Options, Started, Token
from synth.steps import Answer, Call, Completion, Done, Steps, advance
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


class Reply:
    """One call on its way: what came of it so far, and the events that this makes."""

    def __init__(self, ledger: Ledger, asked: Asked) -> None:
        self._ledger = ledger
        self._asked = asked
        self._started = ledger.clock()
        self._arrived = ""
        self._completion = Completion("")
        self.wanted = False

    def opening(self) -> Iterator[Event]:
        """The start of the call, and its end if the answer is known; then it is not `wanted`."""
        if self._ledger.halted:
            return
        known = self._ledger.recall(self._asked)
        self.wanted = known is None and self._ledger.admit(self._asked)
        if self.wanted or known is not None:
            yield Started(replace(self._asked.record, started=self._started))
        if known is not None:
            yield Answered(known)

    def take(self, piece: str | Completion) -> Iterator[Event]:
        """A piece of the reply, or all of it; Stopped if the person wants no more."""
        if isinstance(piece, Completion):
            self._completion = piece
            return
        self._arrived += piece
        yield Token(self._asked.record.number, piece, self._asked.call.verbatim)
        if self._ledger.options.stop.is_set():
            raise Stopped

    def ending(self, problem: Exception | None = None) -> Event:
        """The end of the call: an answer, or the failure that took its place."""
        try:
            if problem is not None:
                raise problem
            return Answered(self._settled(self._answered()))
        except Exception as found:
            if isinstance(found, self._asked.call.tolerates):
                return Answered(self._settled(self._tolerated(found)))
            return Failed(self._settled(self._failed(found)))

    def _settled(self, record: CallRecord) -> CallRecord:
        return self._ledger.settle(self._asked, record)

    def _timed(self, **changes: Any) -> CallRecord:
        seconds = self._ledger.clock() - self._started
        return replace(self._asked.record, started=self._started, seconds=seconds, **changes)

    def _answered(self) -> CallRecord:
        completion = self._completion
        answer, satisfied = _meaning(self._asked.call, completion)
        tokens = completion.output_tokens
        if tokens is None:
            tokens = self._ledger.setup.tokenizer.count(completion.text)
        return self._timed(
            answer=answer,
            satisfied=satisfied,
            reply=completion.text,
            notes=(*self._asked.record.notes, *completion.notes),
            reported_prompt_tokens=completion.prompt_tokens,
            output_tokens=tokens,
            finish_reason=completion.finish_reason,
        )

    def _tolerated(self, problem: Exception) -> CallRecord:
        note = f"{type(problem).__name__} taken for no answer: {problem}"
        notes = (*self._asked.record.notes, note)
        return self._timed(answer="", satisfied=False, notes=notes)

    def _failed(self, problem: Exception) -> CallRecord:
        error = _explained(self._asked.record, problem)
        self._ledger.fail(self._asked.record.number, error)
        return self._timed(
            reply=self._arrived or None,
            output_tokens=self._ledger.setup.tokenizer.count(self._arrived),
            error=str(error),
            error_kind=type(error).__name__,
        )


def _meaning(call: Call, completion: Completion) -> tuple[str, bool]:
    """What a reply says, and whether it says that the question is answered."""
    if call.schema is None:
        return completion.text, True
    try:
        value: Any = call.schema.model_validate_json(completion.text)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise BadResponse(
            f"the reply is not of the form asked for (problems: {problem.error_count()};"
            f" {where}: {first['msg']}). It begins {completion.text[:80]!r}. Try a model that"
            " can answer in JSON, or switch the form off."
        ) from problem
    if not call.filtered:
        return value.model_dump_json(), True
    answer = value.answer if isinstance(value.answer, str) else value.answer.model_dump_json()
    return answer, value.query_satisfied


def _explained(record: CallRecord, problem: Exception) -> SynthError | Stopped:
    """The same failure, saying which call it was."""
    where = f"Call {record.number} ({record.template})"
    error: SynthError | Stopped
    if isinstance(problem, SynthError | Stopped):
        error = type(problem)(f"{where}: {str(problem) or 'stopped'}")
    else:
        error = ModelError(f"{where} failed: {type(problem).__name__}: {problem}")
    error.__cause__ = problem
    return error
