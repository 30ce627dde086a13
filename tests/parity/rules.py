"""How the model of a parity case answers: a pure function of a rule's name and the prompt.

hash      a short text that differs for every prompt
head:N    the first N words of the context, which stands between two lines of dashes
tail:N    its last N words
echo:N    N words that differ for every prompt
grow:N    likewise, and more of them the longer the prompt is
empty     nothing
odd       nothing for about half of all prompts
raise:N   fails with a ValueError for about one prompt in N
"""

import hashlib
import re
from collections.abc import Callable
from random import Random

_WORDS = (
    "alpha bravo charlie delta echo foxtrot golf hotel river stone cloud ember falcon garnet"
    " 12 3.14 don't café naïve 东京 模型 答案。 данные 🚀 well-known e.g. U.S."
)
VOCABULARY = _WORDS.split()


def digest(prompt: str) -> int:
    """A number that looks random and is always the same for a prompt."""
    return int.from_bytes(hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).digest()[:8])


def _hash(prompt: str, _: int) -> str:
    return f"A-{digest(prompt):016x}"[:10]


def _context(prompt: str) -> list[str]:
    found = re.search(r"-{10,}\n(.*?)\n-{10,}", prompt, re.DOTALL)
    return (found.group(1) if found else prompt).split()


def _echo(prompt: str, count: int) -> str:
    return " ".join(Random(digest(prompt)).choices(VOCABULARY, k=count))


def _raise(prompt: str, share: int) -> str:
    if digest(prompt) % share == 0:
        raise ValueError("the model failed")
    return _hash(prompt, 0)


RULES: dict[str, Callable[[str, int], str]] = {
    "hash": _hash,
    "head": lambda prompt, count: " ".join(_context(prompt)[:count]),
    "tail": lambda prompt, count: " ".join(_context(prompt)[-count:]),
    "echo": _echo,
    "grow": lambda prompt, count: _echo(prompt, len(prompt.split()) // 10 + count),
    "empty": lambda prompt, _: "",
    "odd": lambda prompt, _: "" if digest(prompt) % 2 else _hash(prompt, 0),
    "raise": _raise,
}


def answer(rule: str, prompt: str) -> str:
    name, _, number = rule.partition(":")
    return RULES[name](prompt, int(number or 0))


def satisfied(rule: str, prompt: str) -> bool | None:
    """Whether the model says that the context answers the query; None for no valid reply."""
    if rule == "mixed":
        return (True, False, None)[digest(prompt) % 3]
    return {"always": True, "never": False, "even": digest(prompt) % 2 == 0}[rule]
