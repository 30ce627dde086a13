"""Texts that are hard to count and to cut: odd characters, special tokens, unbroken runs."""

from random import Random

from hypothesis import strategies as st

PARTS = [
    *("0", "F", "x9", "7\n", "a", "the", " word", "Word", "'s", "12", "A", "ﬁ", "é", "e\u0301"),
    *(" ", "  ", "   ", "\n", "\n\n", "\r\n", "\t", "\u00a0", "\u3000", "\u200b", "\x00", "\x1c"),
    *("，", "。", "：", "中", "文字", "的。", "あ", "한", "🚀", "👩‍👧", ".", "--", "{x}", "İ", "▁"),
    *(
        "<|endoftext|>",
        "<|im_end|>",
        "<|fim_prefix|>",
        "<think>",
        "[INST]",
        "> </",
        "<end_of_turn>",
    ),
    *("٣٤٥6", "½²a", "สวัสดี", "العربية", "हिन्दी", "def f(x):\n    ", "Ⅷ", "𠀀", "❤\ufe0f"),
]
DICE = st.integers(0, 2**32).map(Random)
"""Each throw of `st.randoms` would be an example by itself, which takes longer than the test."""


def joined(units: st.SearchStrategy[list[str]], least: int, most: int) -> st.SearchStrategy[str]:
    """Texts of so many units, thrown from a few."""
    return st.builds(
        lambda few, dice, size: "".join(dice.choices(few, k=size)),
        units,
        DICE,
        st.integers(least, most),
    )


FEW_PARTS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=5)
MIXED = joined(st.lists(st.sampled_from(PARTS) | st.text(max_size=6), min_size=1), 0, 1_000)
UNBROKEN = joined(FEW_PARTS, 200, 3_000)
STRETCHES = st.builds(
    lambda few, dice, sizes: "".join(dice.choice(few) * size for size in sizes),
    FEW_PARTS,
    DICE,
    st.lists(st.sampled_from([1, 2, 50, 500, 1_500]), min_size=1, max_size=6),
)
ANY = st.text(st.characters(exclude_categories=[]))  # halves of characters too
HARD = MIXED | UNBROKEN | STRETCHES | ANY
