"""The replies of a chat endpoint: what is read from them, and which are no answer."""

import json
from io import StringIO
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from synth.errors import BadResponse
from synth.llms.server_errors import ErrorSent, said
from synth.runs.steps import Completion

_MOST_TOKENS = 10**12  # the largest token count that a server may report


def _or_none(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """An invalid count becomes None: the answer beside it was paid for and must not be lost."""
    try:
        return read(value)
    except ValidationError:
        return None


Count = Annotated[Annotated[int, Field(ge=0, le=_MOST_TOKENS)] | None, WrapValidator(_or_none)]


class _Message(BaseModel):
    content: Any = None
    refusal: str | None = None
    reasoning: Any = None
    reasoning_content: Any = None
    tool_calls: Any = None


class _Choice(BaseModel):
    message: _Message | None = None
    delta: _Message | None = None  # in a stream
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: Count = None
    completion_tokens: Count = None


def _first(choices: Any) -> Any:
    """The list cut to its first choice, since a hostile server may send a million."""
    return choices[:1] if isinstance(choices, list) else choices


class _Reply(BaseModel):
    choices: Annotated[list[_Choice] | None, BeforeValidator(_first)] = None
    usage: Annotated[_Usage | None, WrapValidator(_or_none)] = None
    error: Any = None


class Reading:
    """Gathers one answer from a reply, or from the pieces of a streamed one.

    `source` names the model and its host in messages, which don't repeat the `secret`; an answer
    is the model's own text and is left as it is. BadResponse for what is no answer, ErrorSent for
    an error in its place.
    """

    def __init__(self, source: str, secret: str) -> None:
        self._source = source
        self._secret = secret
        self._chosen = False
        self._streamed = False
        self._reason: str | None = None
        self._usage = _Usage()
        self._text = StringIO()
        self._refusal = StringIO()
        self._instead = "an empty text"

    @property
    def begun(self) -> bool:
        """Whether any text has arrived."""
        return self._text.tell() > 0

    def garbled(self) -> BadResponse:
        """The error for a reply that can't be read, from its start or after some text."""
        if not self.begun:
            return BadResponse(
                f"{self._source} sent no chat completion: check the base URL, which often ends"
                " in /v1."
            )
        return BadResponse(
            f"{self._source} sent something after {self._text.tell():,} characters that is no"
            " piece of an answer: try again, or check the server."
        )

    def add(self, reply: object) -> str:
        """Read a reply or a piece of one, and return its text."""
        found = self._found(reply)
        self._usage = found.usage or self._usage
        if not found.choices:  # as in the last piece of a stream, which brings the usage
            return ""
        self._chosen = True
        [choice, *_] = found.choices
        # LiteLLM sends the usage with one more choice, which has no reason.
        self._reason = choice.finish_reason or self._reason
        self._streamed = choice.message is None
        message = choice.message or choice.delta or _Message()
        if message.tool_calls:
            self._instead = "a call of a tool"
        elif message.reasoning or message.reasoning_content:
            self._instead = "its reasoning"
        self._refusal.write(message.refusal or "")
        text = message.content or ""
        if not isinstance(text, str):
            raise BadResponse(
                f"{self._source} sent no text as its answer, but {self._said(repr(text)):.60}: take"
                " another model, or check the server."
            )
        self._text.write(text)
        return text

    def _found(self, reply: object) -> _Reply:
        try:
            found = _Reply.model_validate(json.loads(reply) if isinstance(reply, str) else reply)
        except ValidationError:
            raise self.garbled() from None
        if found.error:
            raise ErrorSent(found.error)
        if found.choices is None and found.usage is None:
            raise self.garbled()
        return found

    def completion(self, notes: tuple[str, ...]) -> Completion:
        """The whole answer."""
        usage = self._usage
        reply = Completion(
            self._text.getvalue(), usage.prompt_tokens, usage.completion_tokens, self._reason, notes
        )
        if problem := self._problem():
            error = BadResponse(f"{self._source} {problem}")
            error.reply = reply
            raise error
        return reply

    def _said(self, text: str) -> str:
        return said(text, self._secret)

    def _problem(self) -> str | None:
        """Why the reply is no answer, in words that follow the name of its source."""
        refusal, text = self._refusal.getvalue(), self._text.getvalue()
        found = (
            (
                not self._chosen,
                "sent a reply with no answer in it: try again, or check the base URL.",
            ),
            (
                self._reason == "content_filter",
                "stopped at its content filter: change the question or the chunks.",
            ),
            (refusal, f"refused to answer: {self._said(refusal):.500}"),
            (
                self._streamed and self._reason is None,
                f"broke off after {len(text):,} characters: run again.",
            ),
            (
                self._reason == "length" and not text.strip(),
                "spent all its output tokens before the first word: raise the answer length"
                " (num_output).",
            ),
            (
                not text.strip(),
                f"sent no answer, only {self._instead}: try again, or take another model.",
            ),
        )
        return next((problem for applies, problem in found if applies), None)
