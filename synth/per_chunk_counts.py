"""Counting the prompts of a mode that sends every chunk whole, in a call of its own.

Then nothing is cut, so the prompts don't depend on the window, and each is counted once for
all windows. That no chunk is cut is proved for each window: a text is left as it is where it
has no more tokens than the packer's size and its prompt is within the limit. Both limits are
the same for all texts, so only the largest text and the largest prompt are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from synth.packing import Filled, Packer
from synth.prompt_helper import PADDING
from synth.slices import Ints
from synth.spans import Text
from synth.tokens import Tokenizer

_REMEMBERED = 64  # templates whose prompts' counts are kept


class CountedCalls(NamedTuple):
    """The prompt tokens of each call of a run, and how many calls wait for one another."""

    prompt_tokens: Ints
    longest_chain: int


class PerChunkCounts:
    """The tokens of chunks, and of prompts that carry one of them, under one tokenizer."""

    def __init__(self, tokenizer: Tokenizer, chunks: Sequence[str], keeps_blank: bool) -> None:
        self._tokenizer = tokenizer
        stripped = [chunk.strip() for chunk in chunks]
        self._sent = [keeps_blank or bool(text) for text in stripped]
        self._texts = [Text.of(text) for text in stripped if keeps_blank or text]
        sizes = [tokenizer.count_joined([text]) for text in self._texts]
        self._sizes = np.array(sizes, np.int64)
        self._known: dict[object, Ints] = {}

    def first(self, chunks: int | None) -> WholeChunks:
        """The first chunks (None: all)."""
        return WholeChunks(self, 0, sum(self._sent[:chunks]))

    def sizes(self, start: int, end: int) -> Ints:
        """The tokens of texts `start` to `end`, each read alone."""
        return self._sizes[start:end]

    def prompts(self, filled: Filled) -> Ints:
        """The tokens of the prompt with each text, counted once a template."""
        key = tuple((span.kind, str(span.text)) for span in filled.prompt("\0").spans)
        if key not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            counts = [filled.prompt(text).tokens(self._tokenizer) for text in self._texts]
            self._known[key] = np.array(counts, np.int64)
        return self._known[key]


class WholeChunks(NamedTuple):
    """A run of chunks that a mode sends one by one, for its `count_whole_chunks`."""

    counts: PerChunkCounts
    start: int
    end: int

    @property
    def texts(self) -> int:
        """How many there are; blank ones don't count where they are not sent."""
        return self.end - self.start

    def part(self, start: int, end: int | None = None) -> WholeChunks:
        """Those from position `start` to `end` (None: the last)."""
        return self._replace(
            start=self.start + start, end=self.end if end is None else self.start + end
        )

    def prompt_tokens(self, packer: Packer, filled: Filled, padding: int = PADDING) -> Ints | None:
        """The tokens of the prompt with each chunk; None if the packer may cut one of them."""
        if filled.template.function_mappings:
            return None
        prompts = self.counts.prompts(filled)[self.start : self.end]
        sizes = int(self.counts.sizes(self.start, self.end).max()), int(prompts.max())
        return prompts if packer.keeps_whole(filled, *sizes, padding) else None
