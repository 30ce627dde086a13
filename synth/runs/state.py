"""The state of one run: it numbers the calls, holds costs against the cap, makes the trace.

Nothing here waits. Drivers ask for a batch, send it in their own way, and hand every piece of
every reply to a `Reply`, which records it here.
"""

import threading
import time
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from typing import Any, NamedTuple

from synth.errors import CapReached, CountingFailed, ModelError, Stopped, SynthError
from synth.runs.calls import CallRecord, Setup, prompt_hash
from synth.runs.events import (
    Answered,
    Event,
    Failed,
    Finished,
    Retrying,
    RunOptions,
    Token,
)
from synth.runs.llm import LLM, Completion, Retry
from synth.runs.meaning import ReasoningStream, read_meaning, split_reasoning
from synth.runs.steps import Answer, Call, Done, Steps, advance
from synth.runs.trace import Trace
from synth.text.wording import tell_apart

_TOO_LONG = (
    "The answer has {tokens:,} tokens, more than the {most:,} that were asked for: the model or"
    " its server ignores the answer length (num_output)."
)


class PendingCall(NamedTuple):
    """A call of the current batch, and its record before any answer."""

    call: Call
    record: CallRecord


class RunState:
    """The state of one run, from its first batch to its trace."""

    def __init__(self, setup: Setup, steps: Steps, options: RunOptions, llm: LLM) -> None:
        self.setup = setup
        self.options = options
        self.llm = llm
        self._steps = steps
        self._began = 0.0
        self._batch: list[PendingCall] | None = None
        self._numbered = 0
        self._depth = 0
        self._ended: dict[int, CallRecord] = {}
        self.errors: dict[int, SynthError | Stopped] = {}  # by call; the first ends the run
        self._response: str | None = None
        self._problem: SynthError | Stopped | None = None
        self.is_abandoned = False  # whether nobody reads the events any more
        self._paying = threading.Lock()
        self._calls, self._prompts, self._outputs, *_ = options.cap.spent

    def next_batch(self) -> list[PendingCall]:
        """Number the calls to send now; none once the run has ended, one way or another."""
        if self._batch is None:
            self._began = time.perf_counter()
        try:
            calls = advance(self._steps, None if self._batch is None else self._answers())
            if isinstance(calls, Done):
                self._response = calls.response
                return []
            self._batch = self._pending(calls)
        except (SynthError, Stopped) as problem:
            self._problem = problem
            return []
        return self._batch

    def _answers(self) -> list[Answer]:
        batch = self._batch or []
        for pending in batch:
            if pending.record.number in self.errors:
                raise self.errors[pending.record.number]
        if any(pending.record.number not in self._ended for pending in batch):
            raise Stopped
        self._depth += 1
        ended = [self._ended[pending.record.number] for pending in batch]
        return [Answer(record.number, record.answer or "", record.satisfied) for record in ended]

    def _pending(self, calls: list[Call]) -> list[PendingCall]:
        pending = []
        for call in calls:
            self._numbered += 1
            record = CallRecord(
                number=self._numbered,
                depth=self._depth,
                template=call.template,
                prompt=call.prompt,
                padding=call.padding,
                notes=call.notes,
                prompt_tokens=call.prompt.tokens(self.setup.tokenizer),
            )
            pending.append(PendingCall(call, record))
        return pending

    @property
    def is_halted(self) -> bool:
        """Return whether no further call may go out."""
        return self.is_abandoned or bool(self.errors) or self.options.stop.is_set()

    def clock(self) -> float:
        """Return the seconds since the run began."""
        return time.perf_counter() - self._began

    def record(self, record: CallRecord) -> CallRecord:
        """Record a call that has ended, with a note where its reply is longer than asked."""
        if record.exceeds(self.setup):
            tokens, most = record.answer_tokens(self.setup), self.setup.num_output
            note = _TOO_LONG.format(tokens=tokens, most=most)
            record = replace(record, notes=(*record.notes, note))
        self._ended[record.number] = record
        return record

    def recall(self, pending: PendingCall) -> CallRecord | None:
        """Record the answer to this very prompt, if the log or the cache has one."""
        known, cache = self.options.log.get(pending.record.number), self.options.cache
        if known is None or known.prompt_hash != prompt_hash(pending.record.prompt):
            key = self._cache_key(pending)
            known = None if cache is None or key is None else cache.get(key)
        if known is None:
            return None
        return self.record(
            replace(pending.record, **known.fields(), started=self.clock(), replayed=True)
        )

    def admit(self, pending: PendingCall) -> bool:
        """Reserve what the call may cost; False, and the run ends, where it could cross the cap."""
        try:
            self._reserve(pending.record, self.setup.most_output, "sent")
        except CapReached as problem:
            self.errors[pending.record.number] = problem
            return False
        return True

    def admit_again(self, record: CallRecord, problem: ModelError) -> None:
        """Allow a call's next request; raise its problem if the request could cross the cap."""
        try:
            self._reserve(record, 0, "sent again")  # its answer is set aside already
        except CapReached as cap:
            raise type(problem)(f"{problem} {cap}") from cap

    def _reserve(self, record: CallRecord, most_output: int, sent: str) -> None:
        """Set aside the most that a request can cost; CapReached if it could cross the cap."""
        cap = self.options.cap
        with self._paying:
            prompts = self._prompts + record.prompt_tokens
            outputs = self._outputs + most_output
            calls, tokens = self._calls + 1, prompts + outputs
            dollars = 0.0 if cap.price is None else cap.price.at_most(prompts, outputs)
            if cap.calls is not None and calls > cap.calls:
                amount, most = f"{cap.calls:,} calls", f"{calls:,}"
            elif cap.tokens is not None and tokens > cap.tokens:
                amount, most = f"{cap.tokens:,} tokens", f"{tokens:,}"
            elif cap.dollars is not None and dollars > cap.dollars:
                amount, most = tell_apart(cap.dollars, dollars)
            else:
                self._calls, self._prompts, self._outputs = calls, prompts, outputs
                return
        raise CapReached(
            f"The cap of {amount} is reached: call {record.number} was not {sent}, since it could"
            f" bring the run to {most}. Raise the cap, and go on from here."
        )

    def settle(self, pending: PendingCall, record: CallRecord, counted: int = 0) -> CallRecord:
        """Record a call that was sent, and what it cost: by its server or as `counted`, if more."""
        if not record.tries:
            return record
        prompts = max(0, record.spent.prompt_tokens - record.tries * record.prompt_tokens)
        outputs = max(record.spent.output_tokens, counted) - self.setup.most_output
        with self._paying:
            self._prompts += prompts
            self._outputs += outputs
        key, logged = self._cache_key(pending), record.to_log()
        if self.options.cache is not None and key is not None and logged is not None:
            self.options.cache.put(key, logged)
        return self.record(record)

    def _cache_key(self, pending: PendingCall) -> str | None:
        identity = self.llm.identity
        if self.options.cache is None or identity is None:
            return None
        call = pending.call
        schema = "" if call.schema is None else str(call.schema.model_json_schema())
        if call.reader is not None:  # which makes another answer of the same reply
            schema = f"{call.reader.__qualname__} {schema}"
        return "\n".join([identity, schema, prompt_hash(pending.record.prompt)])

    def finish(self) -> Finished:
        """End the run, and make its trace."""
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
    """One call while it is being answered: what has arrived so far, and the events of that."""

    def __init__(self, state: RunState, pending: PendingCall) -> None:
        self._state = state
        self._pending = pending
        self.started = state.clock()
        self._arrived = StringIO()
        self._ends = array("Q")  # of the pieces in it
        self._reasoning = None if pending.call.reader else ReasoningStream()
        self._counted = 0
        self._completion: Completion | None = None

    def take(self, piece: str | Retry | Completion) -> Iterator[Event]:
        """Take a piece of the reply, or all of it; Stopped if the person has stopped the run."""
        if isinstance(piece, Completion):
            self._completion = piece
            if self._reasoning is not None and (rest := self._reasoning.close(piece.finish_reason)):
                yield self._token(rest, "")
            return
        if isinstance(piece, Retry):
            call, record = self._pending
            if piece.tries > record.tries:
                self._state.admit_again(record, piece.problem)
                retried = (*record.retried, str(piece.problem))
                record = replace(record, tries=piece.tries, retried=retried)
                self._pending = PendingCall(call, record)
            yield Retrying(replace(record, started=self.started), piece.wait)
        else:
            self._arrived.write(piece)
            self._ends.append(self._arrived.tell())
            shown = piece if self._reasoning is None else self._reasoning.take(piece)
            yield self._token(shown, piece)
        if self._state.options.stop.is_set():
            raise Stopped
        if isinstance(piece, Retry) and self._state.is_halted:
            raise piece.problem

    def _token(self, text: str, written: str) -> Token:
        verbatim = self._pending.call.verbatim
        return Token(
            self._pending.record.number, text, verbatim, None if written == text else written
        )

    def ending(self, problem: Exception | None = None) -> Event:
        """End the call, with an answer or the failure that took its place."""
        try:
            if problem is not None:
                raise problem
            record = self._answered()
        except Exception as error:
            if not isinstance(error, self._pending.call.tolerates):
                return Failed(self._state.settle(self._pending, self._failed(error), self._counted))
            note = f"{type(error).__name__} taken for no answer: {error}"
            record = self._received(self._so_far(error), note, answer="", satisfied=False)
        return Answered(self._state.settle(self._pending, record, self._counted))

    def _received(self, completion: Completion, *notes: str, **meaning: Any) -> CallRecord:
        tokens, prompt_tokens = completion.output_tokens, completion.prompt_tokens
        if tokens is None:
            tokens = self._counted = self._count(completion)
        elif (cap := self._state.options.cap).tokens is not None or cap.dollars is not None:
            # It holds by our count and by the server's, which stands where we have none.
            with suppress(CountingFailed):
                self._counted = self._count(completion)
        reasoning = ""
        if self._reasoning is not None:
            reasoning = split_reasoning(completion.text, completion.finish_reason)[0]
        counted = completion.text or tokens or prompt_tokens is not None
        fields = {
            "started": self.started,
            "seconds": self._state.clock() - self.started,
            "reply": completion.text if counted else None,
            "notes": (*self._pending.record.notes, *completion.notes, *notes),
            "reported_prompt_tokens": prompt_tokens,
            "output_tokens": tokens,
            "finish_reason": completion.finish_reason,
            "reasoning": "\n\n".join(filter(None, (completion.reasoning, reasoning))),
            "reasoning_tokens": completion.reasoning_tokens,
            "cached_tokens": completion.cached_tokens,
            "written_tokens": completion.written_tokens,
        }
        return replace(self._pending.record, **fields | meaning)

    def _count(self, completion: Completion) -> int:
        texts = filter(None, (completion.text, completion.reasoning))
        return sum(map(self._state.setup.tokenizer.count, texts))

    def _answered(self) -> CallRecord:
        completion, call = self._completion or Completion(""), self._pending.call
        if call.reader is not None:
            answer, satisfied, notes = call.reader(call, completion, self._ends)
        else:
            answer, satisfied, notes = read_meaning(call, completion)
        return self._received(
            completion, *notes, reply=completion.text, answer=answer, satisfied=satisfied
        )

    def _failed(self, problem: Exception) -> CallRecord:
        record = self._pending.record
        where = f"Call {record.number} ({record.template})"
        error: SynthError | Stopped
        if isinstance(problem, SynthError | Stopped):
            error = type(problem)(f"{where}: {str(problem) or 'stopped'}")
        else:
            error = ModelError(f"{where} failed: {type(problem).__name__}: {problem}")
        error.__cause__ = problem
        self._state.errors[record.number] = error
        tries = 0 if isinstance(problem, ModelError) and not problem.sent else record.tries
        return self._received(
            self._so_far(problem), error=str(error), error_kind=type(error).__name__, tries=tries
        )

    def _so_far(self, problem: Exception) -> Completion:
        if self._completion is not None:
            return self._completion
        whole = problem.reply if isinstance(problem, ModelError) else None
        return whole if isinstance(whole, Completion) else Completion(self._arrived.getvalue())
