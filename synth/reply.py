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
        self._completion: Completion | None = None
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

    def _received(self, reply: Completion) -> CallRecord:
        """The record of the call with this reply, before it is known what the reply means."""
        tokens, prompt_tokens = reply.output_tokens, reply.prompt_tokens
        if tokens is None:
            tokens = self._state.setup.tokenizer.count(reply.text)
        counted = reply.text or tokens or prompt_tokens is not None
        return self._timed(
            reply=reply.text if counted else None,
            notes=(*self._pending.record.notes, *reply.notes),
            reported_prompt_tokens=prompt_tokens,
            output_tokens=tokens,
            finish_reason=reply.finish_reason,
        )

    def _answered(self) -> CallRecord:
        completion = self._completion or Completion("")
        answer, satisfied = meaning(self._pending.call, completion)
        record = self._received(completion)
        return replace(record, reply=completion.text, answer=answer, satisfied=satisfied)

    def _tolerated(self, problem: Exception) -> CallRecord:
        note = f"{type(problem).__name__} taken for no answer: {problem}"
        record = self._received(self._so_far(problem))
        return replace(record, answer="", satisfied=False, notes=(*record.notes, note))

    def _failed(self, problem: Exception) -> CallRecord:
        error = _explained(self._pending.record, problem)
        self._state.fail(self._pending.record.number, error)
        record = self._received(self._so_far(problem))
        return replace(record, error=str(error), error_kind=type(error).__name__)

    def _so_far(self, problem: Exception) -> Completion:
        """What came of a reply that is no answer: all of it, or the pieces that had arrived."""
        if self._completion is not None:
            return self._completion
        whole = problem.reply if isinstance(problem, ModelError) else None
        return whole if isinstance(whole, Completion) else Completion(self._arrived.getvalue())


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
