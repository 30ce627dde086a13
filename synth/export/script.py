"""Python scripts that make a run again, with llama-index-core alone or with this package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from synth.export.program import llama_index_program, synth_program
from synth.export.recipe import Recipe
from synth.trace import Trace

_IMPORTS = """\
import sys
from difflib import unified_diff
from itertools import zip_longest"""


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
    equal = run.recipe.behaviour == "llama_index"
    data = _data(run.trace, "LlamaIndex", run.reasons, equal)
    parts = ("run_llama_index", "script")
    return llama_index_program(run.recipe, _doc(_WITH_LLAMA_INDEX), _IMPORTS, data, *parts)


def synth_script(run: RecordedRun) -> str:
    """A script that runs the recipe with this package and the recorded answers."""
    data = _data(run.trace, "synth", (), True)
    return synth_program(run.recipe, _doc(_WITH_SYNTH), _IMPORTS, data, "script")


def planned_script(recipe: Recipe) -> str:
    """A script that prints what llama-index-core sends for the recipe if all answers are empty.

    SynthError for a mode that llama-index-core does not have.
    """
    return llama_index_program(recipe, _doc(_PLANNED), "", {}, "run_llama_index", "planned")


_PLANNED = """\
Print the prompts that LlamaIndex sends for a plan of the synthesis playground.

    pip install "llama-index-core==0.14.25"
    python this_file.py

Nothing was run yet, so every answer is empty here; no key is needed and nothing is sent. With
other answers, prompts that hold an answer are others, and so may be their number."""
_WITH_LLAMA_INDEX = """\
Make a run of the synthesis playground again, with LlamaIndex.

    pip install "llama-index-core==0.14.25"
    python this_file.py

The recorded answers take the place of a model, so no key is needed and nothing is sent. The
script says whether LlamaIndex sends the recorded prompts."""
_WITH_SYNTH = """\
Make a run of the synthesis playground again, with the playground's own package.

    pip install .    in a copy of the playground
    python this_file.py

The recorded answers take the place of a model, so no key is needed and nothing is sent. The
script says whether the prompts are those that were recorded."""


def _doc(text: str) -> str:
    return f"{text}\nTo ask a model of your own instead, give it to OWN_LLM below."


def _data(trace: Trace, package: str, reasons: Sequence[str], equal: bool) -> dict[str, Any]:
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
        "PACKAGE": package,
        "CALLS": calls,
        "WHOLE": trace.response is not None,
        "MUST_BE_EQUAL": equal,
        "REASONS": list(reasons),
    }
