"""By which rules servers remember prompts, which cost less when they read them again."""

import math
from dataclasses import dataclass

from synth.errors import SynthError


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
