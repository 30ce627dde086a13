"""The words of the page: states, titles, what a run took."""

from __future__ import annotations

from synth.wording import counted, dollars, duration
from ui.history.summaries import Summary

STATES = {
    "done": "✓ done",
    "interrupted": "‖ interrupted",
    "stopped": "□ stopped",
    "failed": "✕ failed",
    "running": "… running",
}
"""Each state as a sign and a word."""


def title(run: Summary) -> str:
    """The name that a person gave the run, else its question."""
    return run.name or run.question or "(no question)"


def tokens(run: Summary) -> int:
    """The tokens of a run's prompts and answers."""
    return run.prompt_tokens + run.output_tokens


def cost(run: Summary) -> str:
    """What a run cost."""
    return "price unknown" if run.dollars is None else dollars(run.dollars)


def spent(run: Summary) -> str:
    """The tokens, the cost and the time of a run."""
    return f"{counted(tokens(run), 'token')}, {cost(run)}, {duration(run.seconds)}"
