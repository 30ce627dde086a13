"""Makes tokenizers: of an encoding, of a model, or from a function of the caller's."""

import logging
from functools import cache, lru_cache
from pathlib import Path

import tiktoken

from synth.errors import SynthError
from synth.text import encodings, families
from synth.text.byte_pairs import byte_pairs
from synth.text.chat_templates import beside
from synth.text.frames import openai_frame
from synth.text.huggingface import huggingface_tokenizer
from synth.text.specs import ESTIMATE, FILE, MODEL, SERVER, Spec
from synth.text.tokenizer import Encode, ModelTokenizer, Tokenizer

_log = logging.getLogger(__name__)

DEFAULT_ENCODING = "cl100k_base"

GUESS = "o200k_base"
"""The encoding that stands in for the tokenizer of a model of which nothing is known."""


def get_tokenizer(spec: str | Encode | Tokenizer) -> Tokenizer:
    """The tokenizer of this spec, of a function from text to tokens, or itself.

    A spec (`synth/text/specs.py`) is the name of an encoding; `estimate NAME`, where the encoding
    of that name stands in for a tokenizer that is not known; `model NAME` for that of a model
    (`tokenizer_for`); `server HOST NAME` for that of a server which was asked in this process, and
    `file PATH` for that of a tokenizer.json which was read in it, else an estimate: no file or link
    that somebody sends leads to a server or a path. SynthError for anything else.
    """
    if isinstance(spec, Tokenizer):
        return spec
    if callable(spec):
        return Tokenizer(getattr(spec, "__name__", "custom"), spec)
    if not isinstance(spec, str):
        raise _unknown(spec)
    name, kind = Spec.of(spec)
    if kind == MODEL:
        return tokenizer_for(name)
    if kind == SERVER:
        return _registered.get(spec) or _stand_in(spec)
    if kind == FILE:
        return _registered.get(spec) or _stand_in(spec, ", as its tokenizer.json was not read")
    texts = _of_encoding(name)
    return estimate(name) if kind == ESTIMATE else texts


def _of_encoding(name: str) -> Tokenizer:
    if name not in encodings.RECIPES:
        raise _unknown(name)
    return byte_pairs(name)


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


def _stand_in(spec: str, why: str = "") -> Tokenizer:
    return ModelTokenizer(spec, byte_pairs(GUESS), f"estimated with {GUESS}{why}", False)


def _unreadable(spec: str, problem: Exception) -> Tokenizer:
    """An estimate; its words are for all who see a count, and a path is for the log alone."""
    _log.warning("The tokenizer of %s is estimated: %s", spec, problem)
    return _stand_in(spec, ", as the files of its tokenizer can't be read")


@cache
def estimate(encoding: str) -> Tokenizer:
    """An encoding in place of a tokenizer that is not known."""
    texts = byte_pairs(encoding)
    return ModelTokenizer(f"{ESTIMATE} {encoding}", texts, f"estimated with {encoding}", False)


@lru_cache(maxsize=256)
def tokenizer_for(model: str) -> Tokenizer:
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
    texts = byte_pairs(name)
    return ModelTokenizer(f"{MODEL} {model}", texts, f"exact for {model}", True, openai_frame)


def _of_family(model: str) -> Tokenizer:
    spec = str(Spec(model, MODEL))
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
    texts, template = huggingface_tokenizer(path), beside(path)
    called = path.parent.name or path.name
    counting = f"counted with {called}" + ("" if template else ", without its chat template")
    spec = str(Spec(str(path), FILE))
    return ModelTokenizer(spec, texts, counting, template is not None, template)
