"""What refine and accumulate send where every chunk goes whole into a call of its own.

Then nothing is cut, so their prompts don't depend on the window, and each is counted once
for all windows. That no chunk is cut is proved for each window: a text is left as it is
where it has no more tokens than the packer's size and its prompt is within the limit, and
both bounds are the same for all texts, so that only the largest must be looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from synth.errors import SynthError
from synth.packing import Filled
from synth.prompt_helper import PADDING
from synth.response_synthesizers.base import PLANNED_CALLS, RESERVED, BaseSynthesizer
from synth.response_synthesizers.refine import Refine
from synth.run import stand_in
from synth.slices import Ints
from synth.spans import Text
from synth.steps import Answer
from synth.tokens import Tokenizer

_REMEMBERED = 64  # templates whose prompts' counts are kept


@dataclass(frozen=True)
class Asked:
    """A question over so many texts, each answered in `answer_tokens` tokens."""

    query: str
    variables: Mapping[str, str]
    answer_tokens: int
    texts: int


class OneByOne:
    """Chunks that are sent one by one, and what they count with one tokenizer."""

    def __init__(self, tokenizer: Tokenizer, chunks: Sequence[str], keeps_blank: bool) -> None:
        self._tokenizer = tokenizer
        stripped = [chunk.strip() for chunk in chunks]
        self._sent = [keeps_blank or bool(text) for text in stripped]
        self._texts = [Text.of(text) for text in stripped if keeps_blank or text]
        sizes = [tokenizer.count_joined([text]) for text in self._texts]
        self._sizes = np.array(sizes, np.int64)
        self._known: dict[object, Ints] = {}

    def texts(self, first: int | None) -> int:
        """How many texts the first chunks (None: all) make."""
        return sum(self._sent[:first])

    def prompt_tokens(self, synthesizer: BaseSynthesizer, asked: Asked) -> Ints | None:
        """The prompt tokens of each call; None where they are not these alone, or not surely."""
        if not 0 < asked.texts <= PLANNED_CALLS or RESERVED.intersection(asked.variables):
            return None
        try:
            if isinstance(synthesizer, Refine):
                return self._refine(synthesizer, asked)
            return self._accumulate(synthesizer, asked)
        except SynthError:  # a plan says whether it is one there too, and which comes first
            return None

    def _accumulate(self, synthesizer: BaseSynthesizer, asked: Asked) -> Ints | None:
        variables = {name: asked.variables[name] for name in asked.variables if name != "separator"}
        question = synthesizer.filled("text_qa_template", query_str=asked.query, **variables)
        return self._whole(synthesizer, question, PADDING, slice(0, asked.texts))

    def _refine(self, synthesizer: Refine, asked: Asked) -> Ints | None:
        question, refine = (
            synthesizer.filled(name, query_str=asked.query, **asked.variables)
            for name in ("text_qa_template", "refine_template")
        )
        tighter, padding = synthesizer.packs_by(question, refine), synthesizer.packer.padding
        packed = self._whole(synthesizer, tighter, padding, slice(0, asked.texts))
        first = self._whole(synthesizer, question, PADDING, slice(0, 1))
        if packed is None or first is None or asked.texts == 1:
            return None if packed is None else first
        answer = Answer(1, stand_in(self._tokenizer, asked.answer_tokens))
        if not synthesizer.improves(answer):
            return None
        synthesizer.require_room_to_refine(refine)
        held = synthesizer.packer.hold(refine, answer.as_text())
        others = self._whole(synthesizer, held, PADDING, slice(1, asked.texts))
        return None if others is None else np.concatenate([first, others])

    def _whole(
        self, synthesizer: BaseSynthesizer, filled: Filled, padding: int, texts: slice
    ) -> Ints | None:
        """The tokens of the prompts with these texts, if the packer leaves all of them whole."""
        if filled.template.function_mappings:
            return None
        prompts = self._prompts(filled)[texts]
        sizes = int(self._sizes[texts].max()), int(prompts.max())
        return prompts if synthesizer.packer.keeps_whole(filled, *sizes, padding) else None

    def _prompts(self, filled: Filled) -> Ints:
        """The tokens of the prompt with each text, counted once a template."""
        key = tuple((span.kind, str(span.text)) for span in filled.prompt("\0").spans)
        if key not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            counts = [filled.prompt(text).tokens(self._tokenizer) for text in self._texts]
            self._known[key] = np.array(counts, np.int64)
        return self._known[key]
