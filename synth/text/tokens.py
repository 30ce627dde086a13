"""Makes tokenizers: of an encoding, of a model, or from a function of the caller's."""

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path

import tiktoken

from synth.errors import SynthError
from synth.text import encodings, families, kept_files
from synth.text.byte_pairs import byte_pairs
from synth.text.chat_templates import beside
from synth.text.frames import openai_frame
from synth.text.huggingface import huggingface_tokenizer
from synth.text.measured import MEASURED, correction_of, measured
from synth.text.tokenizer import Encode, ModelTokenizer, Tokenizer

__all__ = ["Encode", "ModelTokenizer", "Tokenizer"]

DEFAULT_ENCODING = "cl100k_base"


def get_tokenizer(spec: str | Encode | Tokenizer) -> Tokenizer:
    """The tokenizer of this spec, of a function from text to tokens, or itself.

    A spec is the name of an encoding; `estimate NAME`, where the encoding of that name stands in
    for a tokenizer that is not known; `model NAME` for that of a model (`tokenizer_for`);
    `server HOST NAME` for that of a server which was asked in this process, else an estimate;
    `file HASH` for files that were given on this machine (`synth/text/kept_files.py`); or one of
    these as it was measured (`synth/text/measured.py`).
    SynthError for anything else, and for files that are not here.
    """
    if isinstance(spec, Tokenizer):
        return spec
    if callable(spec):
        return Tokenizer(getattr(spec, "__name__", "custom"), spec)
    kind, _, name = spec.partition(" ") if isinstance(spec, str) else ("", "", "")
    if kind == MEASURED and (found := correction_of(spec)) is not None:
        return measured(found[0], get_tokenizer(found[1]))
    if name and kind in _KINDS:
        return _KINDS[kind](name)
    if kind == ESTIMATE and name in encodings.RECIPES:
        return estimate(name)
    if spec not in list(encodings.RECIPES):  # a list compares by value, not by hash
        known = " or ".join(encodings.RECIPES)
        raise SynthError(f"There is no encoding {spec!r} here: give {known}, or a function.")
    return byte_pairs(spec)


MODEL, ESTIMATE, SERVER, FILE = "model", "estimate", "server", "file"
"""How a spec begins that names a model, an encoding that stands in for its tokenizer, the server
that counts for it, or the hash of files that a person gave."""

_MOST = 64  # tokenizers of servers
_registered: dict[str, Tokenizer] = {}


def register(tokenizer: Tokenizer) -> None:
    """Have `get_tokenizer` give this one for its name."""
    _registered.pop(tokenizer.name, None)
    _registered[tokenizer.name] = tokenizer
    for oldest in list(_registered)[:-_MOST]:
        del _registered[oldest]


def _of_server(name: str) -> Tokenizer:
    spec = f"{SERVER} {name}"
    stand_in = ModelTokenizer(spec, byte_pairs(GUESS), f"estimated with {GUESS}", False)
    return _registered.get(spec, stand_in)


GUESS = "o200k_base"
"""The encoding that stands in for the tokenizer of a model of which nothing is known."""


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
        return _of_family(model) or estimate(GUESS)
    name = "o200k_base" if name == "o200k_harmony" else name  # the same ranks, more specials
    if name not in encodings.RECIPES:
        return estimate(DEFAULT_ENCODING)
    texts = byte_pairs(name)
    return ModelTokenizer(f"{MODEL} {model}", texts, f"exact for {model}", True, openai_frame)


def _of_family(model: str) -> Tokenizer | None:
    found = families.find(model)
    if found is None:
        return None
    exact = found.exact and found.chat_template is not None
    counting = f"exact for {model}" if exact else f"estimated with {found.family}"
    return ModelTokenizer(f"{MODEL} {model}", found.texts, counting, exact, found.chat_template)


def tokenizer_of_file(path: str | Path) -> Tokenizer:
    """The tokenizer.json at `path`, with the chat template beside it if there is one.

    That it is the model's own is what the caller says. It has no spec, so that no file or link
    that somebody sends can name a path. SynthError for a file that can't be read.
    """
    path = Path(path)
    return _of_file(path, str(path), path.parent.name or path.name)


@lru_cache(maxsize=8)
def _of_kept(digest: str) -> Tokenizer:
    path = kept_files.path_of(digest)
    if path is None:
        raise SynthError(
            "The tokenizer.json that counts here is not on this machine: give the file again."
        )
    return _of_file(path, f"{FILE} {digest}", f"your {path.name}")


def _of_file(path: Path, spec: str, called: str) -> Tokenizer:
    texts, template = huggingface_tokenizer(path), beside(path)
    counting = f"counted with {called}" + ("" if template else ", without its chat template")
    return ModelTokenizer(spec, texts, counting, template is not None, template)


_KINDS: dict[str, Callable[[str], Tokenizer]] = {
    MODEL: tokenizer_for,
    SERVER: _of_server,
    FILE: _of_kept,
}
