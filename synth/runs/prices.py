"""What a model costs."""

from dataclasses import dataclass

from synth.text.sizes import number


@dataclass(frozen=True)
class Price:
    """US dollars for a million prompt and a million output tokens; SynthError for no number."""

    prompt: float
    output: float

    def __post_init__(self) -> None:
        number("The price of prompts", self.prompt)
        number("The price of answers", self.output)

    def of(self, prompt_tokens: float, output_tokens: float) -> float:
        """Price so many tokens in US dollars; at a price of 0 even math.inf tokens cost nothing."""
        amounts = (prompt_tokens, self.prompt), (output_tokens, self.output)
        return sum(tokens * price for tokens, price in amounts if price) / 1_000_000
