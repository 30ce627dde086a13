"""Programs in Python: a text in `code/`, with the data of a recipe in it as constants."""

from __future__ import annotations

from collections.abc import Mapping
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
            f"{recipe.mode} is a mode of your own, which LlamaIndex does not have: export the"
            " script with synth."
        )
    return _program(doc, imports, _constants(recipe) | data, ("with_llama_index", *parts))


def synth_program(recipe: Recipe, doc: str, imports: str, data: dict[str, Any], *parts: str) -> str:
    """A program for this package, made of these parts."""
    constants = _constants(recipe) | {"BEHAVIOUR": recipe.behaviour}
    return _program(doc, imports, constants | data, ("run_synth", *parts))


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


def _program(doc: str, imports: str, constants: Mapping[str, Any], names: tuple[str, ...]) -> str:
    folder = resources.files("synth.export") / "code"
    code = "".join((folder / f"{name}.txt").read_text("utf-8") for name in names)
    data = "\n".join(f"{name} = {_literal(value)}" for name, value in constants.items())
    with_imports = code.replace("# <imports>\n", f"{imports}\n" if imports else "", 1)
    return f'"""{doc}\n"""\n\n{with_imports.replace("# <data>", data, 1)}'


def _literal(value: Any) -> str:
    """The value as Python; what can't be seen in a text, such as half a character, is escaped."""
    return pformat(value, width=96, sort_dicts=False)
