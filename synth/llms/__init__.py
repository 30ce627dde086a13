"""Language models: the protocol, and the four models that come with the package."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from synth.elsewhere import module_names
from synth.errors import extra
from synth.llms.extractive import ExtractiveLLM
from synth.llms.function import FunctionLLM
from synth.llms.human import HumanLLM, PendingPrompt
from synth.prompts.prompt_helper import LLMMetadata
from synth.runs.llm import LLM, Completion, Retry

if TYPE_CHECKING:
    from synth.llms.openai import OpenAILLM, list_models

__all__ = [
    "LLM",
    "Completion",
    "ExtractiveLLM",
    "FunctionLLM",
    "HumanLLM",
    "LLMMetadata",
    "OpenAILLM",
    "PendingPrompt",
    "Retry",
    "list_models",
]

# The client for HTTP takes longer to import than all the rest, and the offline start needs none.
_WITH_OPENAI = ("OpenAILLM", "list_models")

_missing = module_names(__name__)


def __getattr__(name: str) -> Any:
    if name in _WITH_OPENAI:
        with extra("openai"):
            return getattr(import_module("synth.llms.openai"), name)
    return _missing(name)
