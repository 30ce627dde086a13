"""Programs in Python: a text in `code/`, with the data of a recipe in it as constants."""

from __future__ import annotations

from importlib import resources
from pprint import pformat
from typing import Any

from synth.errors import SynthError
from synth.export.recipe import Recipe
from synth.response_synthesizers.factory import ResponseMode


def llama_index_program(
    recipe: Recipe, doc: str, imports: str, data: dict[str, Any], *parts: str
) -> str:
    """A program for llama-index-core, made of these parts; SynthError for a mode of our own."""
    if recipe.mode not in set(ResponseMode):
        raise SynthError(
            f"{recipe.mode} is a mode of your own, which LlamaIndex does not have: take the run as"
            " JSON instead."
        )
    folder = resources.files("synth.export") / "code"
    names = ("with_llama_index", *parts)
    code = "".join((folder / f"{name}.txt").read_text("utf-8") for name in names)
    constants = _constants(recipe) | data
    lines = "\n".join(f"{name} = {_literal(value)}" for name, value in constants.items())
    program = code.replace("# <imports>", imports, 1).replace("# <data>", lines, 1)
    return f'"""{doc}\n"""\n\n{program}'


def _constants(recipe: Recipe) -> dict[str, Any]:
    return {
        "MODE": str(recipe.mode),
        "QUERY": recipe.query,
        "CHUNKS": list(recipe.chunks),
        "CONTEXT_WINDOW": recipe.window,
        "NUM_OUTPUT": recipe.num_output,
        "CHUNK_OVERLAP_RATIO": recipe.overlap,
        "CHUNK_SIZE_LIMIT": recipe.chunk_limit,
        "PADDING": recipe.padding,
        "ENCODING": recipe.encoding,
        "FILTERING": recipe.filtering,
        "TEMPLATES": {name: list(messages) for name, messages in recipe.templates},
        "VARIABLES": dict(recipe.variables),
        "MEASURED": dict(recipe.measured),
    }


def _literal(value: Any) -> str:
    """The value as Python; what can't be seen in a text, such as half a character, is escaped."""
    return pformat(value, width=96, sort_dicts=False)
