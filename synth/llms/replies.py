"""What is read of a chat endpoint's replies, and which of them are no answer."""

from __future__ import annotations

from pydantic import BaseModel, ValidationError

from synth.errors import BadResponse
from synth.steps import Completion


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message | None = None
    delta: _Message | None = None  # in a stream
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Reply(BaseModel):
    choices: list[_Choice]
    usage: _Usage | None = None


class Reading:
    """Gathers one answer from a reply, or from the pieces of a streamed one.

    `source` names the model and its host in messages. BadResponse for what is no answer.
    """

    def __init__(self, source: str, streamed: bool) -> None:
        self._source = source
        self._streamed = streamed
        self._choice: _Choice | None = None
        self._usage = _Usage()
        self._text = ""
        self._refusal = ""

    def add(self, reply: object) -> str:
        """Read a reply or a piece of one, and give the text that it brought."""
        try:
            found = _Reply.model_validate(reply, from_attributes=True)
        except ValidationError:
            raise BadResponse(
                f"{self._source} sent no chat completion: check the base URL, which often ends"
                " in /v1."
            ) from None
        self._usage = found.usage or self._usage
        if not found.choices:  # as in the last piece of a stream, which brings the usage
            return ""
        self._choice = found.choices[0]
        message = self._choice.delta or self._choice.message or _Message()
        self._refusal += message.refusal or ""
        self._text += message.content or ""
        return message.content or ""

    def completion(self, notes: tuple[str, ...]) -> Completion:
        """The whole answer."""
        reason = self._choice.finish_reason if self._choice else None
        problem = self._problem(reason)
        if problem:
            raise BadResponse(f"{self._source} {problem}")
        return Completion(
            self._text,
            self._usage.prompt_tokens,
            self._usage.completion_tokens,
            reason,
            notes,
        )

    def _problem(self, reason: str | None) -> str | None:
        if self._choice is None:
            return "sent a reply with no answer in it: try again, or check the base URL."
        if reason == "content_filter":
            return "stopped at its content filter: change the question or the chunks."
        if self._refusal:
            return f"refused to answer: {self._refusal}"
        if self._streamed and reason is None:
            return f"broke off after {len(self._text):,} characters: run again."
        if reason == "length" and not self._text:
            return "spent all its output tokens before the first word: raise num_output."
        return None
