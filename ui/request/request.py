"""What is asked for: everything that a plan and a run depend on, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

from synth import BaseSynthesizer, PromptHelper, get_response_synthesizer
from synth.llms import LLM, FunctionLLM
from synth.prompts import ChatPromptTemplate, PromptTemplate

Behaviour = Literal["documented", "llama_index"]
BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)
Messages = tuple[tuple[str, str], ...]  # role and text of each

SHORT = 20  # tokens of a short answer
VARIABLE = "variable "  # before the name of a custom variable, among the names of settings


@dataclass(frozen=True)
class Request:
    """A question, the chunks to send, the mode with its templates, and the limits in tokens.

    `places` are those of the chunks in the whole list, `scores` what ranked them, if anything.
    """

    mode: str
    behaviour: Behaviour
    query: str
    chunks: tuple[str, ...]
    places: tuple[int, ...]
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
    model: str

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
