"""One call while it is being answered: its requests, its reply, and the events they make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import Any

from synth.calls import CallRecord
from synth.errors import ModelError, Stopped, SynthError
from synth.events import Answered, Event, Failed, Retrying, Started, Token
from synth.meaning import meaning
from synth.run_state import PendingCall, RunState
from synth.steps import Completion, Retry


class Reply:
    """One call while it is being answered: what has arrived so far, and the events of that."""

    def __init__(self, state: RunState, pending: PendingCall) -> None:
        self._state = state
        self._pending = pending
        self._started = state.clock()
        self._arrived = StringIO()
        self._completion = Completion("")
        self.wanted = False

    def opening(self) -> Iterator[Event]:
        """The start of the call; if its answer is known, its end too, and it is not `wanted`."""
        if self._state.halted:
            return
        known = self._state.recall(self._pending)
        self.wanted = known is None and self._state.admit(self._pending)
        if self.wanted or known is not None:
            begun = replace(self._pending.record, started=self._started, replayed=not self.wanted)
            yield Started(begun)
        if known is not None:
            yield Answered(known)

    def take(self, piece: str | Retry | Completion) -> Iterator[Event]:
        """Take a piece of the reply, or all of it; Stopped if the person has stopped the run.

        Once another call has failed, no request is sent again and the problem is raised.
        """
        if isinstance(piece, Completion):
            self._completion = piece
            return
        if isinstance(piece, Retry):
            yield self._retried(piece)
        else:
            self._arrived.write(piece)
            yield Token(self._pending.record.number, piece, self._pending.call.verbatim)
        if self._state.options.stop.is_set():
            raise Stopped
        if isinstance(piece, Retry) and self._state.halted:
            raise piece.problem

    def _retried(self, retry: Retry) -> Retrying:
        """The event of a further request, which is counted when it is first announced."""
        call, record = self._pending
        if retry.tries > record.tries:
            self._state.admit_again(record, retry.problem)
            note = f"Try {record.tries} failed. {retry.problem}"
            record = replace(record, tries=retry.tries, notes=(*record.notes, note))
            self._pending = PendingCall(call, record)
        return Retrying(replace(record, started=self._started), retry.wait)

    def ending(self, problem: Exception | None = None) -> Event:
        """The end of the call: an answer, or the failure that took its place."""
        try:
            if problem is not None:
                raise problem
            return Answered(self._settled(self._answered()))
        except Exception as error:
            if isinstance(error, self._pending.call.tolerates):
                return Answered(self._settled(self._tolerated(error)))
            return Failed(self._settled(self._failed(error)))

    def _settled(self, record: CallRecord) -> CallRecord:
        return self._state.settle(self._pending, record)

    def _timed(self, **changes: Any) -> CallRecord:
        seconds = self._state.clock() - self._started
        return replace(self._pending.record, started=self._started, seconds=seconds, **changes)

    def _answered(self) -> CallRecord:
        completion = self._completion
        answer, satisfied = meaning(self._pending.call, completion)
        tokens = completion.output_tokens
        if tokens is None:
            tokens = self._state.setup.tokenizer.count(completion.text)
        return self._timed(
            answer=answer,
            satisfied=satisfied,
            reply=completion.text,
            notes=(*self._pending.record.notes, *completion.notes),
            reported_prompt_tokens=completion.prompt_tokens,
            output_tokens=tokens,
            finish_reason=completion.finish_reason,
        )

    def _tolerated(self, problem: Exception) -> CallRecord:
        note = f"{type(problem).__name__} taken for no answer: {problem}"
        notes = (*self._pending.record.notes, note)
        return self._timed(answer="", satisfied=False, notes=notes)

    def _failed(self, problem: Exception) -> CallRecord:
        error = _explained(self._pending.record, problem)
        self._state.fail(self._pending.record.number, error)
        arrived = self._arrived.getvalue()
        return self._timed(
            reply=arrived or None,
            output_tokens=self._state.setup.tokenizer.count(arrived),
            error=str(error),
            error_kind=type(error).__name__,
        )


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
