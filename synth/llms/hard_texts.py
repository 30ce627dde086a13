"""Texts in which the tokens of most tokenizers differ from those of any other."""

from random import Random

_PARTS = (
    *("The", "pool", "was", "SET", "to", "8,", "isn't", "don't", "we'll", "O'Neil’s", "naïve"),
    *("12", "1,048.50", "2024-03-14", "0x1F", "3rd", "v7.14.0", "10:31", "50%", "a1b2", "1e-9"),
    *("\n", "\n\n", "\n---\n", "\t", "  ", "    ", "\r\n", "\n- ", "\n1. ", "|", "\n| a | b |\n"),
    *("(see", "below)", "[1]", "{x}", "x=y;", "foo_bar()", "//", "/usr/bin", "https://a.b/c?d=e"),
    *(
        "--",
        "...",
        "?!",
        "***",
        "#",
        "##",
        "`x`",
        "&amp;",
        "</p>",
        "<b>",
        "\\n",
        '"so"',
        "$5",
        "@a",
    ),
    *("连接池", "设置为，", "八。", "其中：", "日本語の", "テスト。", "한국어", "Größe", "Straße,"),
    *("что", "это?", "हिन्दी", "ไทย", "שלום", "مرحبا", "é", "Å", "ﬁ", "½", "🎉", "👩‍👧", "\u200b"),
    *("<|im_end|>", "<|im_start|>user\n", "<|eot_id|>", "<end_of_turn>", "</s>", "<s>", "[INST]"),
    *("[/INST]", "<|endoftext|>", "<think>", "<｜end▁of▁sentence｜>", "<|end|>", "<tool_call>"),
    *(
        "aaaaaaaaaaaa",
        "camelCaseName",
        "HTTPServer",
        "ANSI_C",
        "e.g.",
        "U.S.",
        "Answer:",
        "'s",
        "_",
    ),
)
_TEXTS = 200
_MOST = 9  # parts


def _made(random: Random) -> str:
    parts = random.choices(_PARTS, k=random.randint(1, _MOST))
    return "".join(part + random.choice(("", " ", " ")) for part in parts)


def _all() -> list[str]:
    random = Random(0)
    plain = "The pool was set to 8 instead of 80, so requests waited."
    return [plain, *(_made(random) for _ in range(_TEXTS - 1))]


HARD_TEXTS = _all()
"""So many texts that together have what is hard: seams of all kinds, scripts, special tokens."""
