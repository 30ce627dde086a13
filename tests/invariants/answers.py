"""Answers that a model could give: of any length up to num_output, and of any text."""

import hashlib
from collections.abc import Callable
from random import Random

from synth.text import encodings

ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "0123456789",
    " \n\t\r\u3000\u00a0",
    "的一是不了人我在有他这为之大来以个中上们，。！",
    "🚀👩‍👧éﬁ\u200d\ufe0f",
    "!?.,;:-_=+*/\\()[]{}<>|~`'\"",
    "اأإآبتثجحخ",
    "д ёжзийклмнопрст",
)
HABITS = ("mixed", "mostly empty", "always the same", "always long")


def odd_text(dice: Random, size: int) -> str:
    """A text of about `size` tokens or more: prose, one alphabet, all of them, runs, blanks."""
    match dice.randrange(6):
        case 0:
            return " ".join(dice.choices(["river", "cold", "antidisestablishment"], k=size))
        case 1:
            return "".join(dice.choices(dice.choice(ALPHABETS), k=4 * size))
        case 2:
            return "".join(dice.choice(dice.choice(ALPHABETS)) for _ in range(4 * size))
        case 3:
            return dice.choice(dice.choice(ALPHABETS)) * (8 * size)
        case 4:
            return " " * dice.randint(1, 80) + "word\n\n" * size
    return ("x" * dice.randint(1, 60) + " ") * size


def odd_answer(dice: Random, num_output: int, encoding: str) -> str:
    """An odd text of 0 to num_output tokens, often of none or of all."""
    size = dice.choice([0, 1, num_output // 2, num_output, dice.randint(0, num_output)])
    size = min(size, num_output)
    encode = encodings.load(encoding)
    kept = encode.encode_ordinary(odd_text(dice, size))[:size]
    text = encode.decode(kept, errors="ignore")
    while len(encode.encode_ordinary(text)) > size:
        text = text[:-1]
    return text


def model(habit: str, seed: int, num_output: int, encoding: str) -> Callable[[str], str]:
    """A model with a habit of answering; the same prompt gets the same answer."""
    fixed = odd_answer(Random(seed), num_output, encoding)

    def answer(prompt: str) -> str:
        if habit == "always the same":
            return fixed
        digest = hashlib.sha256(f"{seed}{prompt}".encode("utf-8", "surrogatepass")).digest()
        dice = Random(digest)
        if habit == "mostly empty" and dice.random() < 0.7:
            return ""
        if habit == "always long":
            return "river " * (num_output - 1) + "river" * (num_output > 0)
        return odd_answer(dice, num_output, encoding)

    return answer
