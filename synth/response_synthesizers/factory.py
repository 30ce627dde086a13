"""get_response_synthesizer: from the name of a mode to a synthesizer."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Unpack

from synth.errors import SynthError
from synth.llms.base import LLM
from synth.llms.extractive import ExtractiveLLM
from synth.prompt_helper import PromptHelper
from synth.response_synthesizers.base import BaseSynthesizer, Options
from synth.response_synthesizers.llama_index import LLAMA_INDEX
from synth.response_synthesizers.registry import MODES

Behaviour = Literal["documented", "llama_index"]


class ResponseMode(StrEnum):
    """The nine modes; registered ones are named by their string."""

    REFINE = "refine"
    COMPACT = "compact"
    TREE_SUMMARIZE = "tree_summarize"
    SIMPLE_SUMMARIZE = "simple_summarize"
    ACCUMULATE = "accumulate"
    COMPACT_ACCUMULATE = "compact_accumulate"
    GENERATION = "generation"
    NO_TEXT = "no_text"
    CONTEXT_ONLY = "context_only"


def get_response_synthesizer(
    response_mode: ResponseMode | str = ResponseMode.COMPACT,
    llm: LLM | None = None,
    prompt_helper: PromptHelper | None = None,
    behaviour: Behaviour = "documented",
    **options: Unpack[Options],
) -> BaseSynthesizer:
    """A synthesizer for a mode; without a model, the offline one.

    `behaviour` is what the documents promise, or what llama-index-core 0.14.25 does. The
    other options are those of `base.Options`. SynthError for a mode that there is not.
    """
    mode = response_mode.value if isinstance(response_mode, ResponseMode) else response_mode
    if mode not in MODES:
        raise SynthError(f"There is no mode {mode!r}: {', '.join(MODES)} are.")
    if behaviour not in ("documented", "llama_index"):
        raise SynthError(f"There is no behaviour {behaviour!r}: documented and llama_index are.")
    kind = LLAMA_INDEX.get(mode, MODES[mode]) if behaviour == "llama_index" else MODES[mode]
    return kind(ExtractiveLLM() if llm is None else llm, prompt_helper, **options)
