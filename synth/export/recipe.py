"""A recipe: all that a run depends on but the model, as one frozen value."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from synth.llms import LLM, FunctionLLM
from synth.modes.base import BaseSynthesizer
from synth.modes.inputs import refuse_reserved
from synth.modes.registry import Behaviour, get_response_synthesizer
from synth.prompts.prompt_helper import PromptHelper
from synth.prompts.templates import ChatPromptTemplate, PromptTemplate
from synth.text.model_tokenizers import get_tokenizer
from synth.text.tokenizer import Tokenizer, scale

Messages = tuple[tuple[str, str], ...]
"""The role and the text of each message of a template."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A question, the chunks to send, the mode with its templates, and the limits in tokens.

    Counts of `tokenizer`, a spec, are taken times `count_factor`. `measured` has the texts by which
    llama-index-core compares templates, where these are not the ones that it sends.
    """

    mode: str
    behaviour: Behaviour
    query_str: str
    text_chunks: tuple[str, ...]
    context_window: int
    num_output: int
    chunk_overlap_ratio: float
    chunk_size_limit: int | None
    response_padding_size: int | None
    tokenizer: str
    structured_answer_filtering: bool
    templates: tuple[tuple[str, Messages], ...]
    variables: tuple[tuple[str, str], ...]
    measured: tuple[tuple[str, str], ...] = ()
    count_factor: float = 1.0
    reasoning_output: int = 0

    @property
    def counter(self) -> Tokenizer:
        """Return what counts for this recipe."""
        return scale(get_tokenizer(self.tokenizer), self.count_factor)

    @property
    def most_output(self) -> int:
        """Count the tokens that a reply may have, its reasoning and its answer."""
        return self.num_output + self.reasoning_output

    def synthesizer(self, llm: LLM | None = None, **spending: Any) -> BaseSynthesizer:
        """Make the synthesizer, with the options in `spending`; without a model it can plan."""
        refuse_reserved(dict(self.variables))
        helper = PromptHelper(
            context_window=self.context_window,
            num_output=self.num_output,
            chunk_overlap_ratio=self.chunk_overlap_ratio,
            chunk_size_limit=self.chunk_size_limit,
            tokenizer=self.counter,
            reasoning_output=self.reasoning_output,
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
            response_padding_size=self.response_padding_size,
            structured_answer_filtering=self.structured_answer_filtering,
            use_async=True,
            **spending,
            **templates,
        )


@lru_cache(maxsize=128)
def template_of(texts: Messages, measured: str | None = None) -> ChatPromptTemplate:
    """Make the template of messages; LlamaIndex compares it by the text `measured`, if given."""
    if measured is not None:
        return ChatPromptTemplate(texts, default_template=PromptTemplate(measured))
    if len(texts) == 1:
        return PromptTemplate(texts[0][1])
    return ChatPromptTemplate.from_messages(texts)
