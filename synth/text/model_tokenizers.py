"""Makes tokenizers: of an encoding, of a model, of a file, or from a function of the caller's.

The files of Qwen, DeepSeek and Mistral come with packages; any other is read where its path is
given. Nothing is asked of a network.
"""

import logging
import re
import tomllib
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import tiktoken

from synth.errors import SynthError
from synth.text import encodings
from synth.text.tokenizer import (
    ChatFormat,
    ChatTemplate,
    Encode,
    ModelTokenizer,
    Tokenizer,
    openai_frame,
)
from synth.text.vocabulary import has_gigatoken, of_encoding, of_file

_log = logging.getLogger(__name__)

DEFAULT_ENCODING = "cl100k_base"

GUESS = "o200k_base"
"""The encoding that stands in for the tokenizer of a model of which nothing is known."""

MODEL, ESTIMATE, SERVER, FILE = "model", "estimate", "server", "file"
"""First words of names: of a model, of an encoding that stands in for its tokenizer, of a server
that counts and its model, and of a tokenizer.json by its path."""


def read_name(name: str) -> tuple[str, str]:
    """Return the first word of a tokenizer's name, and what it names.

    The first word is "" where an encoding is named.

    >>> read_name("model gpt-4o"), read_name("cl100k_base")
    (('model', 'gpt-4o'), ('', 'cl100k_base'))
    """
    kind, _, rest = name.partition(" ")
    return (kind, rest) if rest and kind in (MODEL, ESTIMATE, SERVER, FILE) else ("", name)


def get_tokenizer(spec: str | Encode | Tokenizer) -> Tokenizer:
    """Return the tokenizer of this name, of a function from text to tokens, or itself.

    That of a file, or of a server that is not known in this process, is estimated: nothing that
    somebody sends leads to a path or a server. SynthError for an unknown encoding.
    """
    if isinstance(spec, Tokenizer):
        return spec
    if callable(spec):
        return Tokenizer(getattr(spec, "__name__", "custom"), spec)
    if not isinstance(spec, str):
        raise _explain_unknown(spec)
    kind, name = read_name(spec)
    if kind == MODEL:
        return tokenizer_for(name)
    if kind == SERVER:
        return _registered.get(spec) or _estimate(spec)
    if kind == FILE:
        return _estimate(spec, why=", as its tokenizer.json was not read")
    if name not in encodings.RECIPES:
        raise _explain_unknown(name)
    return _estimate(spec, name) if kind == ESTIMATE else of_encoding(name)


def _explain_unknown(spec: object) -> SynthError:
    known = " or ".join(encodings.RECIPES)
    return SynthError(f"There is no encoding {spec!r} here: give {known}, or a function.")


_MOST = 64  # tokenizers of servers
_registered: dict[str, Tokenizer] = {}


def register(tokenizer: Tokenizer) -> None:
    """Have `get_tokenizer` give this one for its name."""
    _registered.pop(tokenizer.name, None)
    _registered[tokenizer.name] = tokenizer
    for oldest in list(_registered)[:-_MOST]:
        del _registered[oldest]


@lru_cache(maxsize=256)
def _estimate(name: str, encoding: str = GUESS, why: str = "") -> ModelTokenizer:
    """Return an encoding in place of a tokenizer that is not known."""
    return ModelTokenizer(name, of_encoding(encoding), f"estimated with {encoding}{why}", False)


@lru_cache(maxsize=256)
def tokenizer_for(model: str) -> ModelTokenizer:
    """Return the tokenizer of a model by its name, an estimate if it is not known or at hand.

    That of the family counts: exactly, or as an estimate where the chat template may be another.
    """
    try:
        name = tiktoken.encoding_name_for_model(model.removeprefix("openai/"))
    except KeyError:
        try:
            return _find(model) or _estimate(f"{ESTIMATE} {GUESS}", GUESS)
        except (SynthError, OSError) as problem:  # its words may name a path: they are for the log
            _log.warning("The tokenizer of model %s is estimated: %s", model, problem)
            why = ", as the files of its tokenizer can't be read"
            return _estimate(f"{MODEL} {model}", why=why)
    name = "o200k_base" if name == "o200k_harmony" else name  # the same ranks, more specials
    if name not in encodings.RECIPES:
        return _estimate(f"{ESTIMATE} {DEFAULT_ENCODING}", DEFAULT_ENCODING)
    return _of_model(model, name, of_encoding(name), openai_frame, True)


def _of_model(
    model: str, family: str, texts: Tokenizer, template: ChatTemplate | None, is_its_own: bool
) -> ModelTokenizer:
    """Return the tokenizer of a model; without its chat template none is the model's own."""
    exact = is_its_own and template is not None
    counting = f"exact for {model}" if exact else f"estimated with {family}"
    return ModelTokenizer(f"{MODEL} {model}", texts, counting, exact, template)


class Family(NamedTuple):
    """Models that share a tokenizer, whose file `encoding` or `package` brings."""

    name: str
    names: str
    encoding: str = ""
    package: str = ""
    chat_format: ChatFormat | None = None


def _read_family(name: str, row: dict[str, Any]) -> Family:
    chat_format = row.pop("chat_format", None)
    return Family(name, **row, chat_format=chat_format and ChatFormat(**chat_format))


_TABLE = tomllib.loads(Path(__file__).with_name("families.toml").read_text("utf-8"))
_ADDITIONS = re.compile(_TABLE.pop("additions"))
FAMILIES = tuple(_read_family(name, row) for name, row in _TABLE.items())


def _find(model: str) -> ModelTokenizer | None:
    """Find the tokenizer of a family: of qwen3:4b, Qwen/Qwen3-4B, Qwen3-4B-Q4_K_M.gguf alike."""
    base, _, tag = model.lower().rpartition("/")[2].partition(":")
    base = base.removesuffix(".gguf")
    for family in FAMILIES:
        match = re.match(rf"{family.names}(?![\d.])", base)
        texts = match and _texts_of(family)
        if match and texts:
            # Ollama, whose names have a tag, writes chat templates of its own; a package brings
            # the file of DeepSeek V4, with more special tokens.
            is_same = _ADDITIONS.fullmatch(base, match.end()) is not None
            proven = is_same and tag in ("", "free") and not family.package
            return _of_model(model, family.name, texts, family.chat_format, proven)
    return None


def _texts_of(family: Family) -> Tokenizer | None:
    if family.encoding and encodings.path_of(family.encoding) is not None:
        return of_encoding(family.encoding)
    package = find_spec(family.package) if family.package else None
    if package is None or not package.submodule_search_locations or not has_gigatoken():
        return None
    return of_file(Path(package.submodule_search_locations[0], "tokenizer.json"))


def tokenizer_of_file(path: str | Path) -> Tokenizer:
    """Make the tokenizer of a tokenizer.json, which counts texts; SynthError if unreadable."""
    path = Path(path)
    counting = f"counted with {path.parent.name or path.name}, without its chat template"
    return ModelTokenizer(f"{FILE} {path}", of_file(path), counting, False)
