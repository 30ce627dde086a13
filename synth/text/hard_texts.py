"""Texts in which the tokens of most tokenizers differ from those of any other."""

from collections.abc import Sequence
from random import Random

_PARTS = (
    *("a", "The", " word", "pool", "was", "SET", "to", "8,", "isn't", "don't", "we'll", "I'LL"),
    *("O'Neil’s", "naïve", "12", "1,048.50", "2024-03-14", "0x1F", "3rd", "v7.14.0", "10:31"),
    *("50%", "a1b2", "1e-9", "x9", "7", "٣", "²", "½", "aaaaaaaaaaaa", "camelCaseName"),
    *("HTTPServer", "ANSI_C", "e.g.", "U.S.", "Answer:", "'s", "''", "_", '"so"', "$5", "@a"),
    *("\n", "\n\n", "\n---\n", "\r\n", "\n- ", "\n1. ", "\n| a | b |\n", "\t", " ", "  ", "   "),
    *("    ", "\u00a0", "\u3000", "\u200b", "▁", "\\n", ".", ",", "--", "...", "?!", "***", "="),
    *("#", "##", "`x`", "|", "||", "/", "//", "(", "){\n", "(see", "below)", "[1]", "{x}"),
    *("x=y;", "foo_bar()", "/usr/bin", "https://a.b/c?d=e", "&amp;", "<", ">", "</p>", "<b>"),
    *(
        "中",
        "文字",
        "，",
        "。",
        "连接池",
        "设置为，",
        "八。",
        "其中：",
        "あ",
        "日本語の",
        "テスト。",
    ),
    *("한국", "한국어", "é", "e\u0301", "ß", "Å", "ﬁ", "Größe", "Straße,", "что", "это?"),
    *("हिन्दी", "ไทย", "שלום", "العربية", "مرحبا", "🎉", "🚀", "👩\u200d👧"),
    *("<|im_end|>", "<|im_start|>user\n", "<|eot_id|>", "<end_of_turn>", "</s>", "<s>", "[INST]"),
    *("[/INST]", "<|endoftext|>", "<think>", "<｜end▁of▁sentence｜>", "<|end|>", "<tool_call>"),
)
_TEXTS = 300
_MOST = 9  # parts
_PLAIN = "The pool was set to 8 instead of 80, so requests waited."


def hard_texts(more: Sequence[str] = ()) -> list[str]:
    """Texts, the same each time, that together have what is hard.

    That are seams of all kinds, scripts, special tokens, and what is `more`. The first is plain.
    """
    dice = Random(0)
    return [_PLAIN, *(_made(dice, (*_PARTS, *more)) for _ in range(_TEXTS - 1))]


def _made(dice: Random, parts: Sequence[str]) -> str:
    chosen = dice.choices(parts, k=dice.randint(1, _MOST))
    return "".join(part + dice.choice(("", "", " ")) for part in chosen)
