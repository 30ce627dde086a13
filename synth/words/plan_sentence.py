"""What is said of a plan and of bounds: a sentence, and what to know of its numbers."""

import math

from synth.runs.bounds import Bounds, Range
from synth.runs.trace import Plan
from synth.text.wording import at_most, counted, marked, ranged
from synth.words.coverage_words import why_no_call

_SENTENCE = "**{mode}** would make {about}**{calls}**{how}: {amounts}."
_BOUNDS = "Whatever the model answers: **{calls}**, {prompts}, {outputs}; {chain}."
_NO_CALL = "**{mode}** would make **no call**{why}."
_STOPS_EARLY = "**{mode}** would **stop early**: {prompts} in the first {planned}."
_MAY_STOP_EARLY = (
    "**{mode}** would make **{calls}** with short answers and **stop early** with long ones:"
    " {prompts} in the first {planned}."
)


def plan_sentence(low: Plan, high: Plan, bounds: Bounds | None, cost: str = "") -> list[str]:
    """Say what a plan makes, with "about" if answers could change it, or for which it holds."""
    fewest, most = sorted((low.call_count, high.call_count))
    mode = high.setup.mode
    if not most:
        return marked(_NO_CALL, mode=mode, why=why_no_call(high))
    if high.problem:
        return marked(
            _STOPS_EARLY if low.problem else _MAY_STOP_EARLY,
            mode=mode,
            calls=counted(low.call_count, "call"),
            prompts=counted(high.prompt_tokens, "prompt token"),
            planned=counted(high.call_count, "call"),
        )
    return marked(
        _SENTENCE,
        mode=mode,
        about="" if bounds is None or bounds.calls == (fewest, most) else "about ",
        calls=ranged(fewest, most, "call"),
        how=_how(low, high),
        amounts=f"{_tokens(low, high, bounds)}{cost}",
    )


def _tokens(low: Plan, high: Plan, bounds: Bounds | None) -> str:
    least, most = sorted((low.prompt_tokens, high.prompt_tokens))
    short, long = low.output_tokens, high.output_tokens
    if bounds is None:
        prompts, outputs = counted(most, "prompt token"), counted(long, "output token")
        return f"{prompts}, {outputs}, if each answer has {counted(high.answer_tokens, 'token')}"
    bound = bounds.output_tokens.high
    sure = bound == max(short, long)
    output = at_most(bound, "output token") if sure else ranged(short, long, "output token")
    if least == most:
        about = "" if sure else "about "
        return f"{counted(most, 'prompt token')}, {about}{output}"
    return f"about {least:,} to {most:,} prompt and {output}"


def _how(low: Plan, high: Plan) -> str:
    if high.call_count == 1:
        return ""
    if high.longest_chain == high.call_count:
        return ", one after the other"
    if high.longest_chain == 1:
        return " at once"
    return f" in {ranged(low.longest_chain, high.longest_chain, 'level')}"


def plan_notes(high: Plan, bounds: Bounds | None) -> list[str]:
    """Say whether a plan's count is estimated, and the most it can be where answers change it."""
    tokenizer = high.setup.tokenizer
    notes = [] if tokenizer.sure else [tokenizer.counting]
    if high.problem or bounds is None:
        return notes
    calls, prompts = bounds.calls, bounds.prompt_tokens
    if not (calls.exact and prompts.exact):
        most = "" if calls.exact else f"{_at_most(calls, 'call')} with "
        notes.append(f"{most}{_at_most(prompts, 'prompt token')}, whatever the model answers")
    return notes


def bounds_sentence(bounds: Bounds) -> list[str]:
    """The sentence of bounds."""
    return marked(
        _BOUNDS,
        calls=ranged(*bounds.calls, "call"),
        prompts=ranged(*bounds.prompt_tokens, "prompt token"),
        outputs=at_most(bounds.output_tokens.high, "output token"),
        chain=f"a longest chain of {ranged(*bounds.longest_chain, 'call')}",
    )


def _at_most(bound: Range, noun: str) -> str:
    if bound.high == math.inf:
        return f"{counted(bound.low, noun)} or more"
    return at_most(bound.high, noun)
