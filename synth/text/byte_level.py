"""A tokenizer.json of byte pairs as an encoding of tiktoken, which reads several times as fast.

The library joins the pairs that a file lists; tiktoken joins whatever two tokens make a third, and
takes a piece that is a token as that one. Both give the same if the file lists all such pairs, and
has pieces taken so too. They also do if each token, read alone by the library, is that token: then
of all pairs that make it only one ever meets
(https://github.com/github/rust-gems/tree/main/crates/bpe says why). Either is asked of all tokens
of a file. Patterns are those in `_PATTERNS`, which tests compare with the library's; of any other
it is not known that tiktoken reads it alike.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tiktoken

from synth.text.encodings import Vocabulary, token_sizes

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Library

_TAIL = r"\p{L}+|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_LLAMA = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?" + _TAIL

_KANA_AND_HAN = "一-龥぀-ゟ゠-ヿ"
_SIGNS = '!"#$%&' + r"'()*+,\-./:;<=>?@\[\\\]^_`{|}~"
_DEEPSEEK = (
    r"\p{N}{1,3}",
    f"[{_KANA_AND_HAN}]+",
    f"[{_SIGNS}][A-Za-z]+|[^\r\n\\p{{L}}\\p{{P}}\\p{{S}}]?[\\p{{L}}\\p{{M}}]+"
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
)
# The third pattern reads what the first two leave, each stretch as if it were a text of its own:
# it runs on into no number and no Chinese, and before one it ends as at the end of a text. What it
# does not match is a piece as well.
_APART = rf"\p{{N}}{_KANA_AND_HAN}"
_LETTER, _SIGN = (rf"[{kinds}&&[^{_KANA_AND_HAN}]]" for kinds in (r"\p{L}\p{M}", r"\p{P}\p{S}"))
_OTHER = r"[^\s\p{L}\p{M}\p{N}\p{P}\p{S}]"
_DEEPSEEK_AT_ONCE = "|".join(
    [
        *_DEEPSEEK[:2],
        f"[{_SIGNS}][A-Za-z]+",
        rf"[^\r\n\p{{L}}\p{{P}}\p{{S}}{_APART}]?{_LETTER}+",
        rf" ?{_SIGN}+[\r\n]*",
        r"\s*[\r\n]+",
        rf"\s+(?![^\s{_APART}])",
        r"\s+",
        f"(?:{_OTHER}(?!{_LETTER}))+",
    ]
)

_PATTERNS = {
    (_LLAMA % "{1,3}",): _LLAMA % "{1,3}",
    (_LLAMA % "",): _LLAMA % "",
    _DEEPSEEK: _DEEPSEEK_AT_ONCE,
}
"""Patterns of files that cut a text one after another, and one for tiktoken that cuts it alike."""


_NFC = {"type": "NFC"}
_NORMALIZERS = (None, {"type": "Sequence", "normalizers": []}, _NFC)


def vocabulary(path: Path, library: Library) -> Vocabulary | None:
    """What the file says, if it was proven that tiktoken reads it as the library does; else None.

    The library has read the file already.
    """
    if "ByteLevel" not in str(library.pre_tokenizer):
        return None
    file = json.loads(path.read_text("utf-8"))
    pattern, model = _PATTERNS.get(_patterns(file["pre_tokenizer"])), file["model"]
    normalizer = file.get("normalizer")
    if pattern is None or normalizer not in _NORMALIZERS or not _is_plain(model):
        return None
    specials = {token["content"]: token["id"] for token in file.get("added_tokens", ())}
    ids = {name: number for name, number in model["vocab"].items() if name not in specials}
    if not _is_proven(library, ids, model["merges"]):
        return None
    ranks = {bytes(map(BYTES.__getitem__, name)): number for name, number in ids.items()}
    encoding = tiktoken.Encoding(
        str(path), pat_str=pattern, mergeable_ranks=ranks, special_tokens=specials
    )
    return Vocabulary(encoding, token_sizes(encoding, ranks, specials), True, normalizer == _NFC)


def _patterns(pre_tokenizer: Any) -> tuple[str, ...]:
    """The patterns that cut a text before its bytes are read; () where something else does."""
    *splits, last = (pre_tokenizer or {}).get("pretokenizers") or [{}]
    reads_bytes = last.get("type") == "ByteLevel" and not last.get("use_regex", True)
    isolated = all(
        (one.get("type"), one.get("behavior"), one.get("invert")) == ("Split", "Isolated", False)
        for one in splits
    )
    if not reads_bytes or last.get("add_prefix_space") or not isolated:
        return ()
    return tuple(one["pattern"].get("Regex", "") for one in splits)


def _is_plain(model: Any) -> bool:
    """Whether it joins bytes and does nothing else."""
    options = ("continuing_subword_prefix", "end_of_word_suffix", "byte_fallback")
    return (
        not any(model.get(option) for option in options) and model["vocab"].keys() >= BYTES.keys()
    )


def _is_proven(library: Library, ids: dict[str, int], merges: list[Any]) -> bool:
    """Whether tokens are joined in their order, and to the same tokens as tiktoken joins."""
    pairs = (merge.split(" ") if isinstance(merge, str) else merge for merge in merges)
    made = [ids.get(first + second, -1) for first, second in pairs]
    if -1 in made or any(later < earlier for earlier, later in pairwise(made)):
        return False
    model = library.model
    if model.ignore_merges:
        cuts = ((name, at) for name in ids for at in range(1, len(name)))
        return len(made) == sum(name[:at] in ids and name[at:] in ids for name, at in cuts)
    return all([one.id for one in model.tokenize(name)] == [ids[name]] for name in ids)


def _bytes() -> dict[str, int]:
    seen = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), 256)]
    unseen = [byte for byte in range(256) if byte not in seen]
    others = {chr(256 + place): byte for place, byte in enumerate(unseen)}
    return {chr(byte): byte for byte in seen} | others


BYTES = _bytes()
"""The bytes by the characters that stand for them in such a file: what is seen, as itself."""
