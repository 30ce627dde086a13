"""The two vendored BPE encodings, so that counting tokens never needs a network.

`cl100k_base.tiktoken` and `o200k_base.tiktoken` are OpenAI's, as published with tiktoken
(https://github.com/openai/tiktoken, MIT licence); so are the split patterns and the
special tokens below, which tiktoken keeps beside a download of the same files. The files
are read here and never handed to tiktoken's own cache, which deletes what it distrusts.
"""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tiktoken
from numpy.typing import NDArray


class _Recipe(NamedTuple):
    sha256: str
    pattern: str
    special_tokens: dict[str, int]


_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"

RECIPES = {
    "o200k_base": _Recipe(
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


class Vocabulary(NamedTuple):
    """An encoding, and how many bytes each of its tokens stands for."""

    encoding: tiktoken.Encoding
    token_bytes: NDArray[np.int64]


@cache
def load(name: str) -> Vocabulary:
    """The encoding of that name, from the vendored file; OSError if the file was changed."""
    recipe = RECIPES[name]
    path = Path(__file__).with_name(f"{name}.tiktoken")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != recipe.sha256:
        raise OSError(f"{path.name} is not the published file (sha256 differs): restore it.")
    ranks = {}
    for line in data.splitlines():
        token, rank = line.split()
        ranks[base64.b64decode(token)] = int(rank)
    encoding = tiktoken.Encoding(
        name,
        pat_str=recipe.pattern,
        mergeable_ranks=ranks,
        special_tokens=recipe.special_tokens,
    )
    token_bytes = np.zeros(encoding.n_vocab, np.int64)
    for texts in (ranks, recipe.special_tokens):
        token_bytes[list(texts.values())] = list(map(len, texts))
    return Vocabulary(encoding, token_bytes)
