"""A Python script that makes a run again with llama-index-core alone.

A program is a text in `code/`, with the data of a recipe in it as constants.
"""

from importlib import resources
from pprint import pformat
from typing import Any

from synth.errors import SynthError
from synth.export.recipe import Recipe
from synth.modes.factory import RELEASES, ResponseMode
from synth.runs.trace import Trace
from synth.text import encodings
from synth.text.tokens import GUESS, get_tokenizer


def llama_index_script(recipe: Recipe, trace: Trace) -> str:
    """Write a script that runs the recipe with llama-index-core and compares the prompts."""
    calls = [
        {
            "template": call.template,
            "prompt": call.prompt.text,
            "answer": call.answer,
            "satisfied": call.satisfied,
        }
        for call in trace.calls
    ]
    data = {
        "CALLS": calls,
        "WHOLE": trace.response is not None,
        "MUST_BE_EQUAL": recipe.behaviour in RELEASES,
    }
    return llama_index_program(recipe, data, "script_head", "with_llama_index", "script")


def llama_index_program(recipe: Recipe, data: dict[str, Any], *parts: str) -> str:
    """Write a program for llama-index-core of these parts; SynthError for a mode of our own."""
    if recipe.mode not in set(ResponseMode):
        raise SynthError(
            f"{recipe.mode} is a mode of your own, which LlamaIndex does not have: take the run as"
            " JSON instead."
        )
    folder = resources.files("synth.export") / "code"
    code = "".join((folder / f"{part}.txt").read_text("utf-8") for part in parts)
    constants = _constants(recipe) | data
    # What can't be seen in a text, such as half a character, is escaped.
    literals = {name: pformat(data, width=96, sort_dicts=False) for name, data in constants.items()}
    lines = "\n".join(f"{name} = {literal}" for name, literal in literals.items())
    release = RELEASES.get(recipe.behaviour, RELEASES["llama_index"])
    return code.replace("<release>", release).replace("# <data>", lines, 1)


def _constants(recipe: Recipe) -> dict[str, Any]:
    encoding = get_tokenizer(recipe.tokenizer).text_only.name
    return {
        "MODE": str(recipe.mode),
        "QUERY": recipe.query_str,
        "CHUNKS": list(recipe.text_chunks),
        "CONTEXT_WINDOW": recipe.context_window,
        "NUM_OUTPUT": recipe.most_output,
        "CHUNK_OVERLAP_RATIO": recipe.chunk_overlap_ratio,
        "CHUNK_SIZE_LIMIT": recipe.chunk_size_limit,
        "PADDING": recipe.response_padding_size,
        # Where the program runs, there is only tiktoken.
        "ENCODING": encoding if encoding in encodings.RECIPES else GUESS,
        "COUNT_FACTOR": recipe.count_factor,
        "FILTERING": recipe.structured_answer_filtering,
        "TEMPLATES": {name: list(messages) for name, messages in recipe.templates},
        "VARIABLES": dict(recipe.variables),
        "MEASURED": dict(recipe.measured),
    }
