"""Where the tokens of one call go: the arithmetic behind the budget bar."""

from __future__ import annotations

from dataclasses import dataclass

from synth.calls import CallRecord, PlannedCall, Setup
from synth.prompts import Span


@dataclass(frozen=True)
class Budget:
    """The window of one call, in tokens.

    The parts of the prompt add up to its exact count, and none is negative: what joining
    them adds or saves is counted with the template, and where the template has fewer tokens
    than that saves, the rest is taken from the largest part. `free` is 0 where the call is
    `over` the window.
    """

    template: int
    query: int
    variable: int
    context: int
    answer: int
    reserved: int
    padding: int
    free: int
    over: int
    window: int

    @property
    def prompt(self) -> int:
        """Tokens of the prompt."""
        return self.template + self.query + self.variable + self.context + self.answer


def budget(call: PlannedCall | CallRecord, setup: Setup) -> Budget:
    """The budget of a call, under the tokenizer of its run."""
    parts = dict.fromkeys(("query", "variable", "context", "answer"), 0)
    for span in call.prompt.spans:
        if (kind := _meaning(span)) in parts:
            parts[kind] += setup.tokenizer.count_joined([span.text])
    template = call.prompt_tokens - sum(parts.values())
    for kind in sorted(parts, key=parts.__getitem__, reverse=True):
        taken = min(max(-template, 0), parts[kind])
        parts[kind] -= taken
        template += taken
    left = setup.context_window - call.prompt_tokens - setup.num_output
    padding = min(call.padding, max(left, 0))
    return Budget(
        template=template,
        **parts,
        reserved=setup.num_output,
        padding=padding,
        free=max(left, 0) - padding,
        over=max(-left, 0),
        window=setup.context_window,
    )


def _meaning(span: Span) -> str:
    """The span's kind, but answers that stand where chunks stand, as in a tree, are answers."""
    if span.kind == "context" and any(origin.kind == "answer" for origin in span.text.origins):
        return "answer"
    return span.kind
