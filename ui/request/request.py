"""What is asked for: everything that a plan and a run depend on, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

from synth import BaseSynthesizer, PromptHelper, get_response_synthesizer
from synth.llms import LLM, FunctionLLM
from synth.models import Price
from synth.prompts import ChatPromptTemplate, PromptTemplate
from ui.settings.names import Messages

Behaviour = Literal["documented", "llama_index"]
BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)

SHORT = 20  # tokens of a short answer


@dataclass(frozen=True)
class Model:
    """The model that answers, and whatever else its answers depend on beside the prompt.

    `kind` is offline, endpoint or human, or scripted in a lesson. `address` has no user and no
    password in it. `price` is the list price, None where none is known.
    """

    kind: str = "offline"
    name: str = ""
    address: str = ""
    temperature: float | None = None
    seed: int | None = None
    price: Price | None = None

    @property
    def free(self) -> bool:
        """Whether its calls cost nothing: those of an endpoint may."""
        return self.kind != "endpoint"

    @property
    def label(self) -> str:
        """The model in words."""
        if self.free:
            return self.kind
        parts = [self.name or "no model", f"at {self.address or 'the default address'}"]
        given = {"temperature": self.temperature, "seed": self.seed}
        parts += [f"{name} {value}" for name, value in given.items() if value is not None]
        return " · ".join(parts)


@dataclass(frozen=True)
class Request:
    """A question, the chunks to send, the mode with its templates, and the limits in tokens.

    `positions` are those of the chunks in the whole list, `scores` what ranked them, if anything.
    """

    mode: str
    behaviour: Behaviour
    query: str
    chunks: tuple[str, ...]
    positions: tuple[int, ...]
    scores: tuple[float | None, ...]
    window: int
    num_output: int
    overlap: float
    chunk_limit: int | None
    padding: int | None
    encoding: str
    filtering: bool
    templates: tuple[tuple[str, Messages], ...]
    variables: tuple[tuple[str, str], ...]
    model: Model

    @property
    def answers(self) -> tuple[int, int]:
        """Tokens of a short answer and of the longest, between which plans look ahead."""
        return min(SHORT, self.num_output), self.num_output

    def synthesizer(self, llm: LLM | None = None, **spending: Any) -> BaseSynthesizer:
        """The synthesizer that is asked for; without a model it can plan, not run.

        `spending` are its cap, its cache and how many calls go out at once.
        """
        helper = PromptHelper(
            context_window=self.window,
            num_output=self.num_output,
            chunk_overlap_ratio=self.overlap,
            chunk_size_limit=self.chunk_limit,
            tokenizer=self.encoding,
        )
        templates: dict[str, Any] = {name: template_of(texts) for name, texts in self.templates}
        return get_response_synthesizer(
            response_mode=self.mode,
            llm=llm or FunctionLLM(str),
            prompt_helper=helper,
            behaviour=self.behaviour,
            response_padding_size=self.padding,
            structured_answer_filtering=self.filtering,
            use_async=True,
            **spending,
            **templates,
        )


@lru_cache(maxsize=64)
def template_of(texts: Messages) -> ChatPromptTemplate:
    """The template of these messages."""
    if len(texts) == 1:
        return PromptTemplate(texts[0][1])
    return ChatPromptTemplate.from_messages(texts)
