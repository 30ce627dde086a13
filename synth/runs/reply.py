"""One call while it is being answered: its requests, its reply, its events."""

from array import array
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import Any

from synth.errors import CountingFailed, ModelError, Stopped, SynthError
from synth.runs.calls import CallRecord
from synth.runs.events import Answered, Event, Failed, Retrying, Started, Token
from synth.runs.meaning import read_meaning
from synth.runs.reasoning import ReasoningStream, split_reasoning
from synth.runs.state import PendingCall, RunState
from synth.runs.steps import Completion, Retry


class Reply:
    """One call while it is being answered: what has arrived so far, and the events of that."""

    def __init__(self, state: RunState, pending: PendingCall) -> None:
        self._state = state
        self._pending = pending
        self._started = state.clock()
        self._arrived = StringIO()
        self._ends = array("Q")  # of the pieces in it
        self._reasoning = None if pending.call.reader else ReasoningStream()
        self._counted = 0
        self._completion: Completion | None = None
        self.is_wanted = False

    def opening(self) -> Iterator[Event]:
        """Begin the call; if its answer is known, end it too: then it is not `is_wanted`."""
        if self._state.is_halted:
            return
        known = self._state.recall(self._pending)
        self.is_wanted = known is None and self._state.admit(self._pending)
        if self.is_wanted or known is not None:
            replayed = not self.is_wanted
            yield Started(replace(self._pending.record, started=self._started, replayed=replayed))
        if known is not None:
            yield Answered(known)

    def leave_unsent(self) -> Failed:
        """End a call that was not sent, since the run was stopped meanwhile; no trace has it."""
        record = self._pending.record
        error = f"Call {record.number} ({record.template}) was not sent: the run was stopped."
        return Failed(replace(record, tries=0, error=error, error_kind=Stopped.__name__))

    def take(self, piece: str | Retry | Completion) -> Iterator[Event]:
        """Take a piece of the reply, or all of it; Stopped if the person has stopped the run."""
        if isinstance(piece, Completion):
            self._completion = piece
            if self._reasoning is not None and (rest := self._reasoning.close(piece.finish_reason)):
                yield self._token(rest, "")
            return
        if isinstance(piece, Retry):
            yield self._retried(piece)
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

    def _retried(self, retry: Retry) -> Retrying:
        call, record = self._pending
        if retry.tries > record.tries:
            self._state.admit_again(record, retry.problem)
            retried = (*record.retried, str(retry.problem))
            record = replace(record, tries=retry.tries, retried=retried)
            self._pending = PendingCall(call, record)
        return Retrying(replace(record, started=self._started), retry.wait)

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
        elif self._state.weighs_answers:
            self._counted = self._count_if_possible(completion)
        reasoning = ""
        if self._reasoning is not None:
            reasoning = split_reasoning(completion.text, completion.finish_reason)[0]
        counted = completion.text or tokens or prompt_tokens is not None
        fields = {
            "started": self._started,
            "seconds": self._state.clock() - self._started,
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

    def _count_if_possible(self, completion: Completion) -> int:
        try:
            return self._count(completion)
        except CountingFailed:  # the count that came with the reply stands
            return 0

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
        self._state.fail(record.number, error)
        tries = 0 if isinstance(problem, ModelError) and not problem.sent else record.tries
        return self._received(
            self._so_far(problem), error=str(error), error_kind=type(error).__name__, tries=tries
        )

    def _so_far(self, problem: Exception) -> Completion:
        if self._completion is not None:
            return self._completion
        whole = problem.reply if isinstance(problem, ModelError) else None
        return whole if isinstance(whole, Completion) else Completion(self._arrived.getvalue())
