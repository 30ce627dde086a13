"""What one API of models is to the rest: what its requests say, and how its replies are read.

A subclass of `Adapter`, and one of `EndpointLLM` that has it, are all that a further API needs.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel

from synth.llms.complaints import Complaint
from synth.llms.endpoint import OPENAI_MAKER, Endpoint, Maker, authorization
from synth.llms.models import list_price
from synth.prompts.prompt import Message
from synth.runs.prices import Price

DONE = "[DONE]"
"""The data of the event that ends a stream, where an API has one."""


@dataclass(frozen=True)
class CallRequest:
    """What a call asks of a model, with an answer of at most `num_output` tokens.

    `arguments` are further ones by the names that the API has for them, such as temperature.
    """

    model: str
    messages: tuple[Message, ...]
    num_output: int
    arguments: Mapping[str, Any]
    schema: type[BaseModel] | None
    streamed: bool


@dataclass(frozen=True)
class Usage:
    """What a server counted, in tokens; None where it did not say, or said what can't be so.

    `cached` is the part of the prompt that it had read before, `reasoning` that of the output which
    is no answer.
    """

    prompt: int | None = None
    output: int | None = None
    cached: int | None = None
    reasoning: int | None = None


@dataclass(frozen=True)
class Piece:
    """What a reply, or an event of a streamed one, says.

    `is_answer` is false where it holds no part of an answer, as in the event that brings the
    usage. `other` names what came in place of a text, such as "a call of a tool", and `error` is
    what is wrong there.
    """

    is_answer: bool = True
    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    other: str = ""
    finish_reason: str | None = None
    usage: Usage | None = None
    error: object = None


class Adapter(ABC):
    """One kind of API.

    `refused` are names of arguments that this server does not take; `refusal` finds them.
    """

    maker: ClassVar[Maker] = OPENAI_MAKER
    model: ClassVar[str] = ""  # the one that is taken where none is named
    path: ClassVar[str]

    def headers(self, endpoint: Endpoint) -> dict[str, str]:
        """Return the headers of each request: the key, where there is one."""
        return authorization(endpoint)

    @abstractmethod
    def body(self, request: CallRequest, host: str, refused: Set[str]) -> dict[str, Any]:
        """Return what is posted for a call."""

    @abstractmethod
    def read(self, data: Any) -> Piece | None:
        """Return what a reply or an event of this JSON says; None for what is none."""

    def error(self, body: Any) -> Any:
        """Return the JSON of an error as OpenAI has it, with message, code, type and param."""
        return body

    def refusal(
        self, complaint: Complaint, sent: Mapping[str, Any], refused: Set[str]
    ) -> str | None:
        """Return the further argument that a server refused, if a request can do without it."""
        return None

    def notes(self, request: CallRequest, refused: Set[str]) -> tuple[str, ...]:
        """Return what the reader of an answer should know about arguments that were not sent."""
        return ()

    def price(self, model: str, address: str) -> Price | None:
        """Return what the model costs at this address; None where that is not known."""
        return list_price(model, address)
