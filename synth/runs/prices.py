"""What a model costs: its prices, and the rules by which its server remembers prompts."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from synth.errors import SynthError, number


class LongPrice(NamedTuple):
    """US dollars for a million tokens of calls whose prompts have more than so many tokens."""

    tokens: int
    prompt: float
    output: float


@dataclass(frozen=True)
class Price:
    """US dollars for a million prompt and a million output tokens; SynthError for no number.

    Of prompts, what a server has read before costs `cached`, and what it remembers `written`: as
    any other token where that is None. What `long` prompts cost is known to bounds alone.
    """

    prompt: float
    output: float
    cached: float | None = None
    written: float | None = None
    long: LongPrice | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        number("The price of prompts", self.prompt)
        number("The price of answers", self.output)
        for name, price in (("cached", self.cached), ("written", self.written)):
            if price is not None:
                number(f"The price of {name} tokens", price)
        for amount in self.long or ():
            number("What is said of long prompts", amount)

    def of(
        self,
        prompt_tokens: float,
        output_tokens: float,
        cached_tokens: float = 0,
        written_tokens: float = 0,
    ) -> float:
        """Price so many tokens in US dollars; at a price of 0 even math.inf tokens cost nothing.

        Cached and written tokens are among those of prompts.
        """
        cached = self.prompt if self.cached is None else self.cached
        written = self.prompt if self.written is None else self.written
        amounts = (
            (prompt_tokens - cached_tokens - written_tokens, self.prompt),
            (cached_tokens, cached),
            (written_tokens, written),
            (output_tokens, self.output),
        )
        return sum(tokens * price for tokens, price in amounts if price) / 1_000_000

    def at_most(self, prompt_tokens: float, output_tokens: float) -> float:
        """Price them where nothing is cached, and all is written or long where that costs more."""
        prompt, output = max(self.prompt, self.written or 0), self.output
        if self.long is not None and prompt_tokens > self.long.tokens:
            dearer = max(1, self.long.prompt / self.prompt) if self.prompt else 1
            prompt = max(dearer * prompt, self.long.prompt)
            output = max(output, self.long.output)
        return Price(prompt, output).of(prompt_tokens, output_tokens)


class Cost(NamedTuple):
    """US dollars: what is `likely`, the most at list prices, and what was `billed`; None unknown.

    Nothing is billed of a plan, nor where a server does not say what it counted.
    """

    likely: float
    at_most: float
    billed: float | None = None


@dataclass(frozen=True)
class CacheRule:
    """How a server remembers prompts: from `least` tokens on, in steps of `step`.

    As the providers' pages had it in November 2026; what they don't say is taken as nothing.
    A prompt is forgotten when it was not read for `seconds`, or when `latest` newer ones came.
    `rereads` tokens at the end of a prompt are read in any case. One that `stores_units` has a
    prefix only where a prompt ended, or where two of them parted. One that `writes` charges for
    what it remembers, and one that `is_marked` remembers what a request marks, which is planned
    here and never sent. A prefix saves money where it `is_billed`, else only time.
    """

    least: int = 1
    step: int = 1
    seconds: float = math.inf
    latest: int | None = None
    rereads: int = 0
    stores_units: bool = False
    writes: bool = False
    is_marked: bool = False
    is_billed: bool = True

    def whole_steps(self, tokens: int) -> int:
        """Return how many of the first tokens of a prompt can be remembered."""
        return tokens - tokens % self.step if tokens >= self.least else 0


CACHE_RULES = {
    "openai": CacheRule(1_024, 128, 5 * 60),
    "openai, from gpt-5.6": CacheRule(1_024, 128, 30 * 60, writes=True),
    "anthropic": CacheRule(1_024, 1, 5 * 60, writes=True, is_marked=True),
    "deepseek": CacheRule(64, 64, 60 * 60, stores_units=True),
    "gemini": CacheRule(4_096, 1, 5 * 60),
    "gemini-2.5": CacheRule(2_048, 1, 5 * 60),
    "llama.cpp": CacheRule(latest=1, rereads=1, is_billed=False),
    "vllm": CacheRule(16, 16, rereads=1, is_billed=False),
}
"""The rules by name."""


def find_rule(name: str) -> CacheRule:
    """Return the rule of this name; SynthError, with the names, for another."""
    if name not in CACHE_RULES:
        known = ", ".join(CACHE_RULES)
        raise SynthError(f"There is no rule of a cache named {name!r}: give one of {known}.")
    return CACHE_RULES[name]
