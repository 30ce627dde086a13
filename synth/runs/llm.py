"""What the drivers ask of a language model, what it replies, and how a reply ended.

Servers have several words for one end: "stop" is OpenAI's, "end_turn" Anthropic's, "STOP"
Gemini's, "eos_token" that of Hugging Face's TGI, "model_length" Mistral's for a full window.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel

from synth.errors import ModelError
from synth.prompts.prompt import Prompt
from synth.prompts.prompt_helper import LLMMetadata
from synth.runs.prices import CacheRule, Price


@dataclass(frozen=True)
class Completion:
    """A model's reply and its counts; those of reasoning, cached and written are among others."""

    text: str
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    finish_reason: str | None = None
    notes: tuple[str, ...] = ()
    reasoning: str = ""
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    written_tokens: int | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Retry:
    """A request failed with `problem`, and the call will be sent again, as try number `tries`.

    Given twice: at once with the seconds to `wait`, and with 0 just before it is sent.
    """

    problem: ModelError
    tries: int
    wait: float = 0.0


class LLM(ABC):
    """A language model: one prompt in, one completion out.

    A subclass implements `complete`; the other methods call it until they are overridden, `ask`
    where a call may take several requests. With a `schema` the text should be JSON of that
    model, which the driver checks. Failures are `ModelError`s; other exceptions are taken for them.
    """

    metadata: LLMMetadata
    price: Price | None = None  # what the model costs by its list price, where that is known
    cache: CacheRule | None = None  # by which rule its server remembers prompts, if it is known

    @property
    def identity(self) -> str | None:
        """Name what an answer depends on beside its prompt; None if none may be cached."""
        return None

    @abstractmethod
    def complete(self, prompt: Prompt, schema: type[BaseModel] | None = None) -> Completion:
        """Return the model's reply to the prompt."""

    def stream(
        self, prompt: Prompt, schema: type[BaseModel] | None = None
    ) -> Iterator[str | Completion]:
        """Yield the pieces of the reply as they come, and then the whole completion."""
        completion = self.complete(prompt, schema)
        yield completion.text
        yield completion

    def ask(
        self, prompt: Prompt, schema: type[BaseModel] | None = None, *, streamed: bool = False
    ) -> Iterator[str | Retry | Completion]:
        """Do as `stream` or `complete`, and yield each further request before it is sent."""
        if streamed:
            yield from self.stream(prompt, schema)
        else:
            yield self.complete(prompt, schema)


_WHOLE = {
    *("stop", "stop_sequence", "stop_token", "stop_str", "end", "end_turn", "end_of_text"),
    *("eos", "eos_token", "eos_token_id", "complete", "completed", "finished", "done", "normal"),
}
_CUT = {
    *("length", "max_length", "model_length", "model_context_window_exceeded", "token_limit"),
    *("max_tokens", "max_output_tokens", "max_completion_tokens", "max_new_tokens"),
    *("maximum_tokens", "max_context_length"),
}


def is_cut(finish_reason: str | None) -> bool:
    """Return whether an answer ended at the limit of its tokens, not where the model meant to."""
    return _word(finish_reason) in _CUT


def is_known(finish_reason: str | None) -> bool:
    """Return whether an answer is all that will come; other words say that it broke."""
    word = _word(finish_reason)
    return not word or word in _WHOLE or word in _CUT


def is_whole(finish_reason: str | None) -> bool:
    """Return whether an answer ended by itself, as its server says."""
    return _word(finish_reason) in _WHOLE


def _word(finish_reason: str | None) -> str:
    return (finish_reason or "").strip().lower().removeprefix("finish_reason_")
