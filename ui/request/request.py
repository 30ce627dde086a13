"""A request: everything that a plan and a run depend on, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

from pydantic import ConfigDict, with_config

from synth import BaseSynthesizer, PromptHelper, get_response_synthesizer
from synth.llms import LLM, FunctionLLM
from synth.models import Price
from synth.prompts import ChatPromptTemplate, PromptTemplate
from ui.settings.names import Messages

Behaviour = Literal["documented", "llama_index"]
BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)

_AS_JSON = ConfigDict(extra="forbid")  # a field that is not known is named, not skipped

SHORT = 20  # tokens of an answer that a plan takes as short


@with_config(_AS_JSON)
@dataclass(frozen=True)
class Model:
    """The model that answers, and the settings of it that its answers depend on.

    `kind` is offline, endpoint, human or recorded, or scripted in a lesson. `address` holds no
    user and no password. `price` is the list price, None if none is known.
    """

    kind: str = "offline"
    name: str = ""
    address: str = ""
    temperature: float | None = None
    seed: int | None = None
    price: Price | None = None

    @property
    def free(self) -> bool:
        """Whether its calls cost nothing; those of an endpoint may cost something."""
        return self.kind != "endpoint"

    @property
    def label(self) -> str:
        """The model in words."""
        if self.free:
            return self.name or self.kind
        parts = [self.name or "no model", f"at {self.address or 'the default address'}"]
        options = {"temperature": self.temperature, "seed": self.seed}
        parts += [f"{name} {value}" for name, value in options.items() if value is not None]
        return " · ".join(parts)


@with_config(_AS_JSON)
@dataclass(frozen=True)
class Request:
    """A question, the chunks to send, the mode with its templates, and the limits in tokens.

    `positions` are those of the chunks in the whole list, counted from 0. `scores` are None where
    the chunks were not ranked. `measured` has the texts by which LlamaIndex compares templates,
    by the templates' names, where these are not the ones that it sends.
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
    measured: tuple[tuple[str, str], ...] = ()

    @property
    def answers(self) -> tuple[int, int]:
        """The tokens of a short answer and of the longest, for the two plans of a request."""
        return min(SHORT, self.num_output), self.num_output

    @property
    def lacks_question(self) -> bool:
        """Whether a model would be asked without a question; a mode without templates asks none."""
        return bool(self.templates) and not self.query.strip()

    def synthesizer(self, llm: LLM | None = None, **spending: Any) -> BaseSynthesizer:
        """The synthesizer of this request; without a model it can plan, but not run.

        `spending` holds its cap, its cache and the number of calls at once.
        """
        helper = PromptHelper(
            context_window=self.window,
            num_output=self.num_output,
            chunk_overlap_ratio=self.overlap,
            chunk_size_limit=self.chunk_limit,
            tokenizer=self.encoding,
        )
        measured = dict(self.measured)
        templates: dict[str, Any] = {
            name: template_of(texts, measured.get(name)) for name, texts in self.templates
        }
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
def template_of(texts: Messages, measured: str | None = None) -> ChatPromptTemplate:
    """The template of these messages; LlamaIndex compares it by the text `measured`, if given."""
    if measured is not None:
        return ChatPromptTemplate(texts, default_template=PromptTemplate(measured))
    if len(texts) == 1:
        return PromptTemplate(texts[0][1])
    return ChatPromptTemplate.from_messages(texts)
