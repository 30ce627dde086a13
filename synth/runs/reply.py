"""One call while it is being answered: its requests, its reply and its meaning, its events."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from typing import Any, NamedTuple

from pydantic import BaseModel, StrictBool, ValidationError
from pydantic_core import from_json

from synth.errors import BadResponse, ModelError, Stopped, SynthError
from synth.runs.calls import CallRecord
from synth.runs.ends import is_cut
from synth.runs.events import Answered, Event, Failed, Retrying, Started, Token
from synth.runs.state import PendingCall, RunState
from synth.runs.steps import Call, Completion, Retry


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

    def unsent(self) -> Failed:
        """The end of a call that was not sent, since the run was stopped while its start was read.

        It is no call of the trace.
        """
        record = self._pending.record
        error = f"Call {record.number} ({record.template}) was not sent: the run was stopped."
        return Failed(replace(record, tries=0, error=error, error_kind=Stopped.__name__))

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
            retried = (*record.retried, str(retry.problem))
            record = replace(record, tries=retry.tries, retried=retried)
            self._pending = PendingCall(call, record)
        return Retrying(replace(record, started=self._started), retry.wait)

    def ending(self, problem: Exception | None = None) -> Event:
        """The end of the call: an answer, or the failure that took its place."""
        try:
            if problem is not None:
                raise problem
            record = self._answered()
        except Exception as error:
            if not isinstance(error, self._pending.call.tolerates):
                return Failed(self._state.settle(self._pending, self._failed(error)))
            note = f"{type(error).__name__} taken for no answer: {error}"
            record = self._received(self._so_far(error), note, answer="", satisfied=False)
        return Answered(self._state.settle(self._pending, record))

    def _received(self, completion: Completion, *notes: str, **meaning: Any) -> CallRecord:
        """The record of the call with this reply, and with the fields that say what it means."""
        tokens, prompt_tokens = completion.output_tokens, completion.prompt_tokens
        if tokens is None:
            tokens = self._state.setup.tokenizer.count(completion.text)
        counted = completion.text or tokens or prompt_tokens is not None
        fields = {
            "started": self._started,
            "seconds": self._state.clock() - self._started,
            "reply": completion.text if counted else None,
            "notes": (*self._pending.record.notes, *completion.notes, *notes),
            "reported_prompt_tokens": prompt_tokens,
            "output_tokens": tokens,
            "finish_reason": completion.finish_reason,
            "reasoning": completion.reasoning,
            "reasoning_tokens": completion.reasoning_tokens,
            "cached_tokens": completion.cached_tokens,
        }
        return replace(self._pending.record, **fields | meaning)

    def _answered(self) -> CallRecord:
        completion = self._completion or Completion("")
        answer, satisfied, notes = meaning(self._pending.call, completion)
        return self._received(
            completion, *notes, reply=completion.text, answer=answer, satisfied=satisfied
        )

    def _failed(self, problem: Exception) -> CallRecord:
        """The record of a call without an answer; its error says which call it was."""
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
        """What came of a reply that is no answer: all of it, or the pieces that had arrived."""
        if self._completion is not None:
            return self._completion
        whole = problem.reply if isinstance(problem, ModelError) else None
        return whole if isinstance(whole, Completion) else Completion(self._arrived.getvalue())


_FENCED = re.compile(r"```[a-zA-Z]*\s(.*)```", re.DOTALL)
_OPENED = re.compile(r"```[a-zA-Z]*\s")  # a fence, closed or not
_THOUGHT = "</think>"  # what reasoning models write before the answer ends so


class Meaning(NamedTuple):
    """The answer in a reply, whether it says that the question is answered, and notes on that."""

    answer: str
    satisfied: bool = True
    notes: tuple[str, ...] = ()


class _Cut(BaseModel):
    """What of a filtered reply had come when it was cut off."""

    query_satisfied: StrictBool
    answer: str = ""


def meaning(call: Call, completion: Completion) -> Meaning:
    """What a reply says; BadResponse if it can't be read as what was asked for.

    A filtered reply that was cut off after its verdict counts as far as it came: a plain answer
    does, too.
    """
    if call.schema is None:
        return Meaning(completion.text)
    try:
        value = _read(call.schema, completion)
    except BadResponse:
        if (cut := _as_far_as_it_came(call, completion)) is None:
            raise
        return cut
    if not call.filtered:
        return Meaning(value.model_dump_json())
    answer = value.answer if isinstance(value.answer, str) else value.answer.model_dump_json()
    return Meaning(answer, value.query_satisfied)


def _as_far_as_it_came(call: Call, completion: Completion) -> Meaning | None:
    """What a filtered reply says that was cut off; None if it says nothing that counts."""
    if not call.takes_cut or not is_cut(completion.finish_reason):
        return None
    for text in _starts(completion.text):
        with suppress(ValueError):
            cut = _Cut.model_validate(from_json(text, allow_partial="trailing-strings"))
            if cut.answer.strip() or not cut.query_satisfied:
                note = "The reply was cut off at num_output: its answer is taken as far as it came."
                return Meaning(cut.answer, cut.query_satisfied, (note,))
    return None


def _read(schema: type[BaseModel], completion: Completion) -> Any:
    """The object in a reply: the whole text, what follows the reasoning, or a fenced block."""
    after = completion.text.rpartition(_THOUGHT)[2]
    problem: ValidationError | None = None
    for text in (completion.text, after, *_FENCED.findall(after)):
        try:
            return schema.model_validate_json(text)
        except ValidationError as error:
            problem = problem or error
    assert problem is not None
    raise BadResponse(_explanation(problem, completion)) from problem


def _explanation(problem: ValidationError, completion: Completion) -> str:
    begins = f"It begins {completion.text[:80]!r}."
    if is_cut(completion.finish_reason):
        return (
            f"the reply was cut off after {len(completion.text):,} characters, at the end of the"
            f" room for an answer, so its JSON is incomplete. {begins} Raise the answer length"
            " (num_output). If a reply fills that too, or is no JSON at all, take a model that can"
            " answer in JSON, or switch the form off."
        )
    first = problem.errors()[0]
    where = ".".join(map(str, first["loc"])) or "the whole"
    return (
        f"the reply is not of the form asked for (problems: {problem.error_count()};"
        f" {where}: {first['msg']}). {begins} Try a model that can answer in JSON, or switch the"
        " form off."
    )


def _starts(text: str) -> list[str]:
    """Where JSON may begin in a reply: after the reasoning, or after an opened fence."""
    after = text.rpartition(_THOUGHT)[2]
    return [after, *_OPENED.split(after, maxsplit=1)[1:]]
