"""What the drivers ask of a language model."""

from abc import ABC, abstractmethod
from collections.abc import Iterator

from pydantic import BaseModel

from synth.prompts.prompt import Prompt
from synth.prompts.window import LLMMetadata
from synth.runs.prices import Price
from synth.runs.prompt_caches import CacheRule
from synth.runs.steps import Completion, Retry


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
