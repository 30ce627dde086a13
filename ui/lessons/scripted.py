"""A model whose answers were written for a lesson, for what the offline model can't show."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel
from typing_extensions import override

from synth.llms import LLM, LLMMetadata
from synth.prompts.kinds import SpanKind
from synth.prompts.prompt import Prompt
from synth.runs.steps import Completion
from ui.settings.request import Request

Script = Callable[[str, str], str]
"""From the answer so far (empty in a first call) and the chunk text to the answer."""


class ScriptedLLM(LLM):
    """Answers each prompt as the script says."""

    def __init__(self, script: Script, request: Request) -> None:
        self.metadata = LLMMetadata(
            request.context_window, request.num_output, "scripted", request.encoding
        )
        self._script = script

    @override
    def complete(self, prompt: Prompt, schema: type[BaseModel] | None = None) -> Completion:
        existing, context = (
            "".join(str(span.text) for span in prompt.spans if span.kind == kind)
            for kind in (SpanKind.ANSWER, SpanKind.CONTEXT)
        )
        return Completion(self._script(existing, context))
