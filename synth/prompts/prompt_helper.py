"""PromptHelper: the only arithmetic on the context window.

    chunk size = (context_window - template - most_output) // chunks - padding

with the template measured as it will be sent, its open variables empty, and `most_output` the
room for an answer and for the reasoning before it. These are the rules of
llama-index-core's helper, which prove of no whole prompt that it fits; packing.py counts it.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any, Self

from synth.errors import BudgetError, number, whole
from synth.prompts.templates import ChatPromptTemplate, PromptTemplate
from synth.text.model_tokenizers import DEFAULT_ENCODING, get_tokenizer
from synth.text.spans import Text, join
from synth.text.splitter import TokenTextSplitter
from synth.text.tokenizer import Encode, Tokenizer

CONTEXT_WINDOW = 3_900  # tokens; this and the next two are llama-index-core's defaults
NUM_OUTPUT = 256  # tokens
CHUNK_OVERLAP_RATIO = 0.1  # of a chunk
PADDING = 5
PARAGRAPH = "\n\n"
_MESSAGE_TOKENS = 3  # a message, in llama-index-core
_LESS_OF_TOOLS = {"function": 2, "tool": 2}  # tokens, by the role of the message


@dataclass(frozen=True)
class LLMMetadata:
    """What packing needs to know of a model, in tokens; SynthError for no whole number."""

    context_window: int = CONTEXT_WINDOW
    num_output: int = NUM_OUTPUT
    model_name: str = "unknown"
    tokenizer: str | Encode | Tokenizer = DEFAULT_ENCODING
    reasoning_output: int = 0

    def __post_init__(self) -> None:
        whole("context_window", self.context_window, least=1)
        whole("num_output", self.num_output)
        whole("reasoning_output", self.reasoning_output)


class PromptHelper:
    """Fits chunks into prompts; all sizes are tokens of `tokenizer`.

    `num_output` is the room for an answer, `reasoning_output` that for what a model reasons before
    it: a server counts both as output. `chunk_overlap_ratio` is a share of a chunk. In
    `llama_index` behaviour `message_tokenizer` weighs chat templates. BudgetError for a size that
    is not a whole number.
    """

    def __init__(
        self,
        context_window: int = CONTEXT_WINDOW,
        num_output: int = NUM_OUTPUT,
        chunk_overlap_ratio: float = CHUNK_OVERLAP_RATIO,
        chunk_size_limit: int | None = None,
        tokenizer: str | Encode | Tokenizer = DEFAULT_ENCODING,
        separator: str = " ",
        message_tokenizer: str | Encode | Tokenizer | None = None,
        reasoning_output: int = 0,
    ) -> None:
        checked = partial(whole, error=BudgetError)
        self.context_window = checked("context_window", context_window, least=1)
        self.num_output = checked("num_output", num_output)
        self.reasoning_output = checked("reasoning_output", reasoning_output)
        self.chunk_overlap_ratio = number(
            "chunk_overlap_ratio", chunk_overlap_ratio, most=1, error=BudgetError
        )
        if chunk_size_limit is not None:
            chunk_size_limit = checked("chunk_size_limit", chunk_size_limit, least=1)
        self.chunk_size_limit = chunk_size_limit
        self.tokenizer = get_tokenizer(tokenizer)
        self.separator = separator
        self.message_tokenizer = (
            None if message_tokenizer is None else get_tokenizer(message_tokenizer)
        )

    @property
    def most_output(self) -> int:
        """Count the tokens that a reply may have, its reasoning and its answer."""
        return self.num_output + self.reasoning_output

    def describe_output(self) -> str:
        """Say how much room a reply has, for messages on what does not fit beside it."""
        reasoning = f", the room for reasoning {self.reasoning_output:,}"
        answer = f"the answer length (num_output) is {self.num_output:,}"
        return answer + (reasoning if self.reasoning_output else "")

    @classmethod
    def from_llm_metadata(cls, llm_metadata: LLMMetadata, **options: Any) -> Self:
        """Return a helper for a model of these sizes; the options are those of the constructor."""
        options = {
            "tokenizer": llm_metadata.tokenizer,
            "reasoning_output": llm_metadata.reasoning_output,
            **options,
        }
        return cls(llm_metadata.context_window, llm_metadata.num_output, **options)

    def with_special_tokens(self) -> PromptHelper:
        """Return a copy whose tokenizer reads special tokens in a text as one token each."""
        other = copy.copy(self)
        other.tokenizer = self.tokenizer.with_special_tokens()
        if self.message_tokenizer is not None:
            other.message_tokenizer = self.message_tokenizer.with_special_tokens()
        return other

    def repack(
        self, prompt: ChatPromptTemplate, text_chunks: Sequence[str], padding: int = PADDING
    ) -> list[str]:
        """Join all chunks by blank lines, and cut them into as few texts as fit the template."""
        texts = [Text.of(chunk) for chunk in text_chunks]
        return [str(text) for text in self.pack(texts, self.chunk_size(prompt, padding=padding))]

    def truncate(
        self, prompt: ChatPromptTemplate, text_chunks: Sequence[str], padding: int = PADDING
    ) -> list[str]:
        """Return each chunk, cut to its share of the room that the template leaves."""
        if not text_chunks:
            return []
        splitter = self.splitter(self.chunk_size(prompt, len(text_chunks), padding))
        return ["".join(splitter.split_text(chunk)[:1]) for chunk in text_chunks]

    def chunk_size(
        self, template: ChatPromptTemplate, num_chunks: int = 1, padding: int = PADDING
    ) -> int:
        """Count the tokens for each of `num_chunks` chunks; BudgetError if there are none."""
        open_variables = {
            name: "" for name in template.template_vars if name not in template.kwargs
        }
        prompt = template.fill(**template.kwargs, **open_variables)
        if isinstance(template, PromptTemplate):
            used = prompt.tokens(self.tokenizer.text_only)
        else:
            count = self.tokenizer.text_only.count
            count_text = (self.message_tokenizer or self.tokenizer).text_only.count
            used = sum(
                count(message.role)
                + count_text(message.content)
                + _MESSAGE_TOKENS
                - _LESS_OF_TOOLS.get(message.role, 0)
                for message in prompt.messages
            )
        size = self.limit((self.context_window - used - self.most_output) // num_chunks - padding)
        if size < 1:
            raise BudgetError(
                f"The window of {self.context_window:,} tokens leaves {size:,} for a chunk:"
                f" the template has {used:,}, {self.describe_output()} and the safety margin"
                f" (padding) {padding:,}. Raise the window or lower one of them."
            )
        return size

    def limit(self, size: int) -> int:
        """Return the size, or the chunk size limit where that is less."""
        return size if self.chunk_size_limit is None else min(size, self.chunk_size_limit)

    def splitter(self, chunk_size: int) -> TokenTextSplitter:
        """Return a splitter for chunks of that size, with the overlap that belongs to it."""
        return TokenTextSplitter(
            chunk_size=chunk_size,
            chunk_overlap=int(self.chunk_overlap_ratio * chunk_size),
            separator=self.separator,
            tokenizer=self.tokenizer,
        )

    def pack(self, texts: Sequence[Text], chunk_size: int) -> list[Text]:
        """Strip, join by blank lines, cut at `chunk_size`; one empty text where nothing is left."""
        stripped = [text for text in (text.strip() for text in texts) if len(text)]
        return self.splitter(chunk_size).split(join(stripped, PARAGRAPH))


_SHARES: Mapping[str, float] = {
    "minimal": 0.1,
    "low": 0.2,
    "medium": 0.5,
    "high": 0.8,
    "xhigh": 0.95,
}
"""What share of a reply reasoning may have by its effort: those of OpenRouter's documentation."""


def room_for_reasoning(effort: str, num_output: int) -> int:
    """Return the tokens to leave for reasoning beside `num_output`; 0 for an effort not known."""
    share = _SHARES.get(effort, 0.0)
    return ceil(round(num_output * share / (1 - share), 6))
