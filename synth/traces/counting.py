"""By which tokenizer a server counted the recorded prompts.

That is the model's, and another thing than what LlamaIndex packed with: its helper counts with
one and the same encoding, whatever the model is, unless an application sets another.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from synth.runs.calls import CallRecord
from synth.text.tokenizer import ModelTokenizer, Tokenizer
from synth.text.tokens import FAMILIES, MODEL, get_tokenizer, tokenizer_for
from synth.text.wording import counted

_FEWEST = 3  # different counts, by which a tokenizer is known of which the trace says nothing
_OPENAI = "{} with OpenAI's chat format"
_KNOWN = {
    _OPENAI.format("o200k_base"): f"{MODEL} gpt-4o",
    _OPENAI.format("cl100k_base"): f"{MODEL} gpt-4",
    "o200k_base without a chat template": "o200k_base",
    "cl100k_base without a chat template": "cl100k_base",
}
"""Specs of tokenizers by their names in a sentence."""


class Counting(NamedTuple):
    """What gives the server's count of these `calls`, by `names`; `silent` ones have no count."""

    tokenizer: ModelTokenizer
    names: tuple[str, ...]
    calls: int
    silent: int


def counting_of(calls: Sequence[CallRecord], model: str | None) -> Counting | None:
    """Find what gives all recorded counts: the model's tokenizer, or one that differs enough."""
    pairs = [
        (call, call.reported_prompt_tokens)
        for call in calls
        if call.reported_prompt_tokens is not None
    ]
    silent = len(calls) - len(pairs)
    if not pairs:
        return None

    def gives(tokenizer: Tokenizer) -> bool:
        return all(call.prompt.tokens(tokenizer) == count for call, count in pairs)

    own = None if model is None else tokenizer_for(model)
    if model is not None and own is not None and own.sure and gives(own):
        return Counting(own, (model,), len(pairs), silent)
    if len({count for _, count in pairs}) < _FEWEST:
        return None
    found = {name: tokenizer for name, tokenizer in _known() if gives(tokenizer)}
    if not found:
        return None
    first = next(iter(found.values()))
    counting = f"measured on {counted(len(pairs), 'call')}"
    texts = first.text_only
    unsure = ModelTokenizer(texts.name, texts, counting, False, first.frame)
    return Counting(unsure, tuple(found), len(pairs), silent)


def _known() -> Iterator[tuple[str, Tokenizer]]:
    for name, spec in _KNOWN.items():
        yield name, get_tokenizer(spec)
    for family in FAMILIES:
        if family.chat_format is not None and tokenizer_for(family.name).sure:
            yield family.name, tokenizer_for(family.name)
