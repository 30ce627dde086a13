"""The words of the page: states, titles, what a run took."""

from __future__ import annotations

from synth.text.wording import Bold, counted, dollars, duration
from ui.history.differences import Differences
from ui.history.tables import Summary

STATES = {
    "done": "✓ done",
    "interrupted": "‖ interrupted",
    "stopped": "□ stopped",
    "failed": "✕ failed",
    "running": "… running",
}
"""Each state as a sign and a word."""


LONGEST_TITLE = 80  # characters


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


def difference_sentence(found: Differences) -> list[str]:
    """What the second run did otherwise, in numbers."""
    calls = next(measure for measure in found.measures if measure.name == "calls")
    count = counted(calls.after or 0, "call")
    if calls.before == calls.after:
        parts: list[str] = [f"Both made {count}; B {_tokens(found)}. "]
    else:
        parts = [Bold(f"B made {count} instead of {calls.before or 0:,}")]
        parts.append(f" and {_tokens(found)}. ")
    diff = found.answer
    if not diff.added and not diff.dropped:
        return [*parts, Bold("The answers are the same.")]
    if not diff.readable:
        return [*parts, Bold("The answers differ"), " in most of their words."]
    words = f"{diff.added:,} added, {diff.dropped:,} dropped"
    return [*parts, "From A's answer to B's ", Bold(words), f", {diff.kept:,} kept."]


def _tokens(found: Differences) -> str:
    used = [
        sum(
            getattr(measure, side) or 0
            for measure in found.measures
            if measure.name in ("prompt tokens", "output tokens")
        )
        for side in ("before", "after")
    ]
    more = int(used[1] - used[0])
    if not more:
        return "used as many tokens"
    return f"used {counted(abs(more), 'token')} {'more' if more > 0 else 'fewer'}"
