"""Makes tokenizers: of an encoding, of a model, or from a function of the caller's."""

import logging
from functools import cache, lru_cache
from pathlib import Path

import tiktoken

from synth.errors import SynthError
from synth.text import encodings, families
from synth.text.chat_templates import beside
from synth.text.frames import openai_frame
from synth.text.tokenizer import Encode, ModelTokenizer, Tokenizer
from synth.text.vocabulary import of_encoding, of_file

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

    A name is that of an encoding, `model NAME` (`tokenizer_for`), `estimate NAME`, where the
    encoding of that name stands in for a tokenizer that is not known, or that of a server which was
    asked in this process, or a tokenizer.json which was read in it; else these two are estimated:
    no file or link that somebody sends leads to a server or a path. SynthError for any other.
    """
    if isinstance(spec, Tokenizer):
        return spec
    if callable(spec):
        return Tokenizer(getattr(spec, "__name__", "custom"), spec)
    if not isinstance(spec, str):
        raise _unknown(spec)
    kind, name = read_name(spec)
    if kind == MODEL:
        return tokenizer_for(name)
    if kind == SERVER:
        return _registered.get(spec) or _stand_in(spec)
    if kind == FILE:
        return _registered.get(spec) or _stand_in(spec, ", as its tokenizer.json was not read")
    if name not in encodings.RECIPES:
        raise _unknown(name)
    return estimate(name) if kind == ESTIMATE else of_encoding(name)


def _unknown(spec: object) -> SynthError:
    known = " or ".join(encodings.RECIPES)
    return SynthError(f"There is no encoding {spec!r} here: give {known}, or a function.")


_MOST = 64  # tokenizers of servers and files
_registered: dict[str, Tokenizer] = {}


def register(tokenizer: Tokenizer) -> None:
    """Have `get_tokenizer` give this one for its name."""
    _registered.pop(tokenizer.name, None)
    _registered[tokenizer.name] = tokenizer
    for oldest in list(_registered)[:-_MOST]:
        del _registered[oldest]


def _stand_in(spec: str, why: str = "") -> ModelTokenizer:
    return ModelTokenizer(spec, of_encoding(GUESS), f"estimated with {GUESS}{why}", False)


def _unreadable(spec: str, problem: Exception) -> ModelTokenizer:
    """An estimate; its words are for all who see a count, and a path is for the log alone."""
    _log.warning("The tokenizer of %s is estimated: %s", spec, problem)
    return _stand_in(spec, ", as the files of its tokenizer can't be read")


@cache
def estimate(encoding: str) -> ModelTokenizer:
    """An encoding in place of a tokenizer that is not known."""
    texts = of_encoding(encoding)
    return ModelTokenizer(f"{ESTIMATE} {encoding}", texts, f"estimated with {encoding}", False)


@lru_cache(maxsize=256)
def tokenizer_for(model: str) -> ModelTokenizer:
    """The tokenizer of the model of that name, and an estimate where it is not known or at hand.

    A proxy may have the name of OpenAI before that of a model: openai/gpt-4.1-mini. For other
    models that of the family counts, where its file is here (`synth.text.families`): exactly, or
    as an estimate where the model's chat template may be another.
    """
    try:
        name = tiktoken.encoding_name_for_model(model.removeprefix("openai/"))
    except KeyError:
        return _of_family(model)
    name = "o200k_base" if name == "o200k_harmony" else name  # the same ranks, more specials
    if name not in encodings.RECIPES:
        return estimate(DEFAULT_ENCODING)
    texts = of_encoding(name)
    return ModelTokenizer(f"{MODEL} {model}", texts, f"exact for {model}", True, openai_frame)


def _of_family(model: str) -> ModelTokenizer:
    spec = f"{MODEL} {model}"
    try:
        found = families.find(model)
    except (SynthError, OSError) as problem:
        return _unreadable(spec, problem)
    if found is None:
        return estimate(GUESS)
    exact = found.exact and found.chat_template is not None
    counting = f"exact for {model}" if exact else f"estimated with {found.family}"
    return ModelTokenizer(spec, found.texts, counting, exact, found.chat_template)


def tokenizer_of_file(path: str | Path) -> Tokenizer:
    """The tokenizer.json at `path`, with the chat template beside it if there is one.

    That it is the model's own is what the caller says. SynthError for a file that can't be read.
    """
    path = Path(path)
    texts, template = of_file(path), beside(path)
    called = path.parent.name or path.name
    counting = f"counted with {called}" + ("" if template else ", without its chat template")
    spec = f"{FILE} {path}"
    return ModelTokenizer(spec, texts, counting, template is not None, template)
