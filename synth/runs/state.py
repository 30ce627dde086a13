"""The state of one run: it numbers the calls, holds costs against the cap, makes the trace.

Nothing here waits. Drivers ask for a batch, send it in their own way, and hand every piece of
every reply to a `Reply` of reply.py, which records it here.
"""

import threading
import time
from dataclasses import replace
from typing import NamedTuple

from synth.errors import CapReached, ModelError, Stopped, SynthError
from synth.runs.answer_cache import answer_key
from synth.runs.calls import CallRecord, Setup, prompt_hash
from synth.runs.events import Cap, Finished, RunOptions
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

    def __init__(
        self, setup: Setup, steps: Steps, options: RunOptions, identity: str | None = None
    ) -> None:
        self.setup = setup
        self.options = options
        self._identity = identity
        self._steps = steps
        self._began = time.perf_counter()
        self._batch: list[PendingCall] | None = None
        self._numbered = 0
        self._depth = 0
        self._ended: dict[int, CallRecord] = {}
        self._errors: dict[int, SynthError | Stopped] = {}
        self._response: str | None = None
        self._problem: SynthError | Stopped | None = None
        self.is_abandoned = False  # whether nobody reads the events any more
        self._cap = CapMeter(options.cap, setup.most_output)

    def next_batch(self) -> list[PendingCall]:
        """Number the calls to send now; none once the run has ended, one way or another."""
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
            if pending.record.number in self._errors:
                raise self._errors[pending.record.number]
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
        return self.is_abandoned or bool(self._errors) or self.options.stop.is_set()

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

    def fail(self, number: int, error: SynthError | Stopped) -> None:
        """Record a failure; the run ends with the first one of the batch."""
        self._errors[number] = error

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
            self._cap.reserve(pending.record, self.setup.most_output, "sent")
        except CapReached as problem:
            self.fail(pending.record.number, problem)
            return False
        return True

    def admit_again(self, record: CallRecord, problem: ModelError) -> None:
        """Allow a call's next request; raise its problem if the request could cross the cap."""
        try:
            self._cap.reserve(record, 0, "sent again")  # its answer is set aside already
        except CapReached as cap:
            raise type(problem)(f"{problem} {cap}") from cap

    @property
    def weighs_answers(self) -> bool:
        """Return whether a cap holds by our own count of an answer as well as by its server's."""
        return self.options.cap.tokens is not None or self.options.cap.dollars is not None

    def settle(self, pending: PendingCall, record: CallRecord, counted: int = 0) -> CallRecord:
        """Record a call that was sent, and what it cost: `counted` is our count of its answer."""
        if not record.tries:
            return record
        self._cap.settle(record, counted)
        key, logged = self._cache_key(pending), record.to_log()
        if self.options.cache is not None and key is not None and logged is not None:
            self.options.cache.put(key, logged)
        return self.record(record)

    def _cache_key(self, pending: PendingCall) -> str | None:
        if self.options.cache is None or self._identity is None:
            return None
        call = pending.call
        schema = "" if call.schema is None else str(call.schema.model_json_schema())
        if call.reader is not None:  # which makes another answer of the same reply
            schema = f"{call.reader.__qualname__} {schema}"
        return answer_key(self._identity, schema, pending.record.prompt)

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


class CapMeter:
    """The spending of one run; several threads may reserve and settle calls."""

    def __init__(self, cap: Cap, most_output: int) -> None:
        self._cap = cap
        self._most_output = most_output
        self._lock = threading.Lock()
        self._calls, self._prompts, self._outputs, *_ = cap.spent

    def reserve(self, record: CallRecord, most_output: int, sent: str) -> None:
        """Set aside the most that a request can cost; CapReached if it could cross the cap."""
        cap, missing = self._cap, f"call {record.number} was not {sent}"
        with self._lock:
            prompts = self._prompts + record.prompt_tokens
            outputs = self._outputs + most_output
            self._require("calls", cap.calls, self._calls + 1, missing)
            self._require("tokens", cap.tokens, prompts + outputs, missing)
            if cap.price is not None:
                self._require("dollars", cap.dollars, cap.price.at_most(prompts, outputs), missing)
            self._calls, self._prompts, self._outputs = self._calls + 1, prompts, outputs

    @staticmethod
    def _require(what: str, cap: float | None, wanted: float, missing: str) -> None:
        if cap is None or wanted <= cap:
            return
        if what == "dollars":
            amount, most = tell_apart(cap, wanted)
        else:
            amount, most = f"{cap:,} {what}", f"{wanted:,}"
        raise CapReached(
            f"The cap of {amount} is reached: {missing}, since it could bring the run to {most}."
            " Raise the cap, and go on from here."
        )

    def settle(self, record: CallRecord, counted: int) -> None:
        """Replace what was set aside for a call by what it cost: the larger count, of both."""
        prompts = max(0, record.spent.prompt_tokens - record.tries * record.prompt_tokens)
        outputs = max(record.spent.output_tokens, counted) - self._most_output
        with self._lock:
            self._prompts += prompts
            self._outputs += outputs
