"""What a model costs, and the cost of a plan or a run."""

from dataclasses import dataclass, field
from typing import NamedTuple

from synth.text.sizes import number


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
            prompt *= max(1, self.long.prompt / self.prompt)
            output = max(output, self.long.output)
        return Price(prompt, output).of(prompt_tokens, output_tokens)


class Cost(NamedTuple):
    """US dollars: what is `likely`, the most at list prices, and what was `billed`; None unknown.

    Nothing is billed of a plan, nor where a server does not say what it counted.
    """

    likely: float
    at_most: float
    billed: float | None = None
