"""Caches of prompts as the providers' pages describe them, in tokens that tiktoken gives.

    OpenAI     developers.openai.com, prompt caching: from 1,024 tokens, in steps of 128
    Anthropic  docs.claude.com, prompt caching: what a request marks, from 1,024 tokens
    DeepSeek   api-docs.deepseek.com, context caching: units that end with a request, or where two
               of them part; in steps of 64
    Gemini     ai.google.dev, caching: common beginnings, from 2,048 (2.5) or 4,096 tokens

They know nothing of the planner: they remember blocks or compare all prompts with each other.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import takewhile
from typing import NamedTuple

import tiktoken

from synth.text import encodings

Tokens = tuple[int, ...]
START, END = (-1, -2, -3), (-4, -1, -5, -3)  # special tokens: start, user, message; end, assistant


class Counted(NamedTuple):
    """The usage of one request."""

    prompt: int
    cached: int
    written: int = 0


@cache
def _tokenizer() -> tiktoken.Encoding:
    return encodings.load("o200k_base")


def read(text: str) -> Tokens:
    """The tokens of one user message, with its chat template."""
    return (*START, *_tokenizer().encode_ordinary(text), *END)


def shared(one: Tokens, other: Tokens) -> int:
    """How many tokens both begin with."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


class OpenAI:
    """Remembers each beginning that ends at a step; newer models charge for what is new."""

    def __init__(self, writes: bool = False) -> None:
        self.writes = writes
        self.known: set[Tokens] = set()

    def count(self, tokens: Tokens) -> Counted:
        steps = list(range(1_024, len(tokens) + 1, 128))
        cached = max((step for step in steps if tokens[:step] in self.known), default=0)
        self.known |= {tokens[:step] for step in steps}
        written = steps[-1] - cached if steps and self.writes else 0
        return Counted(len(tokens), cached, written)


class Anthropic:
    """Reads and writes up to the mark of a request, which is found for it in a set of prompts."""

    def __init__(self, every: list[Tokens]) -> None:
        self.every = every
        self.sent: list[Tokens] = []

    def count(self, tokens: Tokens) -> Counted:
        others = [one for at, one in enumerate(self.every) if at != len(self.sent)]
        mark = max((shared(tokens, other) for other in others), default=0)
        cached = max((shared(tokens[:mark], earlier) for earlier in self.sent), default=0)
        cached, mark = (tokens if tokens >= 1_024 else 0 for tokens in (cached, mark))
        self.sent.append(tokens)
        return Counted(len(tokens), cached, max(0, mark - cached))


class DeepSeek:
    """Remembers units as a whole."""

    def __init__(self) -> None:
        self.sent: list[Tokens] = []
        self.units: set[Tokens] = set()

    def count(self, tokens: Tokens) -> Counted:
        lengths = (len(unit) for unit in self.units if tokens[: len(unit)] == unit)
        cached = max(lengths, default=0)
        common = max((shared(tokens, earlier) for earlier in self.sent), default=0)
        self.units |= {tokens, tokens[:common]}
        self.sent.append(tokens)
        return Counted(len(tokens), cached // 64 * 64)


class Gemini:
    """Reads what any earlier prompt began with, from so many tokens on."""

    def __init__(self, least: int) -> None:
        self.least = least
        self.sent: list[Tokens] = []

    def count(self, tokens: Tokens) -> Counted:
        common = max((shared(tokens, earlier) for earlier in self.sent), default=0)
        self.sent.append(tokens)
        return Counted(len(tokens), common if common >= self.least else 0)


def answers(tokens: int) -> Iterator[str]:
    """Answers of so many tokens each, no two of which begin alike."""
    tokenizer = _tokenizer()
    for token in range(2_000, tokenizer.n_vocab):
        word = tokenizer.decode([token])
        bare = word.removeprefix(" ")
        if bare != word and bare.isalpha() and len(tokenizer.encode_ordinary(bare)) == 1:
            yield bare + " word" * (tokens - 1)


Bill = Callable[[Counted, int], float]
"""US dollars for the prompt and for so many tokens of the answer."""


def bill(prompt: float, output: float, cached: float, written: float | None = None) -> Bill:
    """Make the bill of a price list, in US dollars for a million tokens."""
    writing = prompt if written is None else written

    def dollars(usage: Counted, answered: int) -> float:
        plain = usage.prompt - usage.cached - usage.written
        paid = plain * prompt + usage.cached * cached + usage.written * writing + answered * output
        return paid / 1_000_000

    return dollars
