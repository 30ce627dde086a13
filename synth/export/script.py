"""A Python script that makes a run again with llama-index-core alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from synth.export.program import llama_index_program
from synth.export.recipe import Recipe
from synth.trace import Trace

_IMPORTS = """\
import sys
from difflib import unified_diff
from itertools import zip_longest"""
_DOC = """\
Make a run of the synthesis playground again, with LlamaIndex.

    pip install "llama-index-core==0.14.25"
    python this_file.py

The recorded answers take the place of a model, so no key is needed and nothing is sent. The
script says whether LlamaIndex sends the recorded prompts.
To ask a model of your own instead, give it to OWN_LLM below."""


@dataclass(frozen=True)
class RecordedRun:
    """A run to make again. `reasons` say why llama-index-core may send other prompts."""

    recipe: Recipe
    trace: Trace
    reasons: tuple[str, ...] = ()


def llama_index_script(run: RecordedRun) -> str:
    """A script that runs the recipe with llama-index-core and the recorded answers.

    It compares the prompts. A difference is a failure where the run did what llama-index-core
    does (`behaviour="llama_index"`); else it is shown and explained. SynthError for a mode that
    llama-index-core does not have.
    """
    data = _data(run.trace, run.reasons, run.recipe.behaviour == "llama_index")
    return llama_index_program(run.recipe, _DOC, _IMPORTS, data, "script")


def _data(trace: Trace, reasons: Sequence[str], equal: bool) -> dict[str, Any]:
    calls = [
        {
            "template": call.template,
            "prompt": call.prompt.text,
            "answer": call.answer,
            "satisfied": call.satisfied,
        }
        for call in trace.calls
    ]
    return {
        "CALLS": calls,
        "WHOLE": trace.response is not None,
        "MUST_BE_EQUAL": equal,
        "REASONS": list(reasons),
    }
