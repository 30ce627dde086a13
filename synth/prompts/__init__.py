"""Templates, the prompts made of them, and packing, which proves that a prompt fits, as counted."""

from typing import TYPE_CHECKING

from synth.elsewhere import module_names
from synth.prompts.templates import ChatPromptTemplate, PromptTemplate

__all__ = ["ChatPromptTemplate", "PromptTemplate"]

if not TYPE_CHECKING:
    __getattr__ = module_names(__name__)
