"""Quick counts: the calls of modes that ask about every chunk on its own, without a plan.

Where each chunk goes whole into one call, nothing is cut, so the prompts don't depend on the
window, and each is counted once for all windows. That no chunk is cut is proved for each window:
a text is left as it is where it has no more tokens than the packer's size and its prompt is
within the limit. Both limits are the same for all texts, so only the largest text and the
largest prompt are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from synth.modes.accumulate import Accumulate
from synth.modes.base import BaseSynthesizer
from synth.modes.llama_index import LlamaIndexAccumulate, LlamaIndexRefine
from synth.modes.refine import Refine
from synth.prompts.packing import Filled, Packer
from synth.prompts.window import PADDING
from synth.runs.steps import Answer
from synth.text.slices import Ints
from synth.text.spans import Text
from synth.text.tokenizer import Tokenizer

_REMEMBERED = 64  # templates whose prompts' counts are kept


class CountedCalls(NamedTuple):
    """The prompt tokens of each call of a run, and how many calls wait for one another."""

    prompt_tokens: Ints
    longest_chain: int


class PerChunkCounts:
    """The tokens of chunks, and of prompts that carry one of them, under one tokenizer."""

    def __init__(self, chunks: Sequence[str], tokenizer: Tokenizer, keeps_blank: bool) -> None:
        self._tokenizer = tokenizer
        stripped = [chunk.strip() for chunk in chunks]
        self._sent = [keeps_blank or bool(text) for text in stripped]
        self._texts = [Text.of(text) for text in stripped if keeps_blank or text]
        sizes = [tokenizer.count_joined([text]) for text in self._texts]
        self._sizes = np.array(sizes, np.int64)
        self._known: dict[object, Ints] = {}

    def sent(self, first: int | None) -> int:
        """How many of the first chunks (None: all) are sent: a blank one may not be."""
        return sum(self._sent[:first])

    def prompt_tokens(
        self, packer: Packer, filled: Filled, texts: slice, padding: int = PADDING
    ) -> Ints | None:
        """The tokens of the prompt with each of these texts; None if the packer may cut one."""
        if filled.template.function_mappings:
            return None
        prompts = self._prompts(filled)[texts]
        sizes = int(self._sizes[texts].max()), int(prompts.max())
        return prompts if packer.keeps_whole(filled, *sizes, padding) else None

    def _prompts(self, filled: Filled) -> Ints:
        """The tokens of the prompt with each text, counted once a template."""
        key = tuple((span.kind, str(span.text)) for span in filled.prompt("\0").spans)
        if key not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            counts = [filled.prompt(text).tokens(self._tokenizer) for text in self._texts]
            self._known[key] = np.array(counts, np.int64)
        return self._known[key]


def _count_refine(
    synthesizer: Refine,
    query_str: str,
    counts: PerChunkCounts,
    texts: int,
    answer: Answer,
    variables: Mapping[str, Any],
) -> CountedCalls | None:
    """One call after the other: the first question, then the refine template."""
    packer = synthesizer.packer
    question, refine = synthesizer.both(query_str, variables)
    packs_by = synthesizer.packs_by(question, refine)
    packed = counts.prompt_tokens(packer, packs_by, slice(texts), packer.padding)
    first = counts.prompt_tokens(packer, question, slice(1))
    if packed is None or first is None:
        return None
    if texts == 1:
        return CountedCalls(first, 1)
    if not synthesizer.improves(answer):
        return None
    synthesizer.require_room_to_refine(refine)
    held = packer.hold(refine, answer.as_text())
    others = counts.prompt_tokens(packer, held, slice(1, texts))
    if others is None:
        return None
    return CountedCalls(np.concatenate([first, others]), texts)


def _count_accumulate(
    synthesizer: Accumulate,
    query_str: str,
    counts: PerChunkCounts,
    texts: int,
    answer: Answer,
    variables: Mapping[str, Any],
) -> CountedCalls | None:
    """One batch of the same question, whatever the answers say."""
    values = {name: value for name, value in variables.items() if name != "separator"}
    template = synthesizer.filled("text_qa_template", query_str=query_str, **values)
    prompts = counts.prompt_tokens(synthesizer.packer, template, slice(texts))
    return None if prompts is None else CountedCalls(prompts, 1)


QUICK_COUNTS: dict[type[BaseSynthesizer], Callable[..., CountedCalls | None]] = {
    Refine: _count_refine,
    LlamaIndexRefine: _count_refine,
    Accumulate: _count_accumulate,
    LlamaIndexAccumulate: _count_accumulate,
}
"""Of a class, the calls of a run over the first texts in which every answer is the same one.

None where it is not certain that each chunk goes whole into one call. No other class is named
here: one that changes another may ask otherwise.
"""
