"""What is said of a plan: a headline, and one line below it that holds the bound."""

import math
from typing import NamedTuple

from synth.modes.advice.adviser import Advice
from synth.runs.bounds import Bounds
from synth.runs.trace import Plan
from synth.text.wording import at_most, counted, dollars, embolden, listed, percent, ranged
from synth.words.coverage_words import chunk_tokens, cut_off_tokens, why_no_call

PLAN_HEADS = {
    "calls": "**{mode}** would make {about}**{calls}**{how}.",
    "cut off": "**{mode}** would make **{calls}** and cut off **{share}**.",
    "no call": "**{mode}** would make **no call**{why}.",
    "stops early": "**{mode}** would **stop early**.",
    "may stop early": "**{mode}** would make **{calls}**, or **stop early** with long answers.",
}
"""The forms of a plan's headline, which a test walks."""


class Headline(NamedTuple):
    """A sentence of at most fourteen words, and the line below it; their `Bold` parts are bold."""

    head: list[str]
    line: list[str]

    @property
    def sentence(self) -> list[str]:
        """Return both as one sentence."""
        return [*self.head, " ", *self.line] if self.line else self.head


def plan_headline(low: Plan, high: Plan, bounds: Bounds | None, cost: str = "") -> Headline:
    """Say what a plan makes, with "about" if answers could change it, and the most that it takes.

    Where no bounds are known, `low` and `high` are one plan, and its answers are named. `cost` is
    the end of a sentence.
    """
    fewest, most = sorted((low.call_count, high.call_count))
    mode = high.setup.mode
    if not most:
        return Headline(embolden(PLAN_HEADS["no call"], mode=mode, why=why_no_call(high)), [])
    if high.problem:
        form = "stops early" if low.problem else "may stop early"
        calls = counted(low.call_count, "call")
        prompts = counted(high.prompt_tokens, "prompt token")
        first = f"The first {counted(high.call_count, 'call')} would have {prompts}."
        return Headline(embolden(PLAN_HEADS[form], mode=mode, calls=calls), [first])
    calls = ranged(fewest, most, "call")
    lost = cut_off_tokens(high)
    if lost:
        share = percent(lost, chunk_tokens(high))
        window = f"{high.setup.context_window:,}"
        head = embolden(PLAN_HEADS["cut off"], mode=mode, calls=calls, share=f"{share} of the text")
        words = f"{lost:,} of {chunk_tokens(high):,} tokens have no room in a window of {window}"
        return Headline(head, [f"{words}{cost}."])
    about = "" if bounds is None or bounds.calls == (fewest, most) else "about "
    head = embolden(PLAN_HEADS["calls"], mode=mode, about=about, calls=calls, how=_how(low, high))
    return Headline(head, [f"{_tokens(low, high, bounds)}{cost}."])


def advice_words(advice: Advice | None, has_price: bool) -> str:
    """Say which mode is better than the chosen one, by all figures of both, or as good."""
    if advice is None or (advice.mode == advice.is_for and not advice.ties):
        return ""
    if advice.mode == advice.is_for:
        return f"As many calls, at about the same cost: {listed(advice.ties)}."
    new, old = advice.figures, advice.chosen
    differences = []
    if new.lost != old.lost:
        differences.append(f"{counted(new.lost, 'token')} cut off, now {old.lost:,}")
    costs = [
        dollars(each) if has_price else f"about {each:,.0f} tokens" for each in (new.cost, old.cost)
    ]
    if costs[0] != costs[1]:
        differences.append(", now ".join(costs))
    if new.in_turn != old.in_turn:
        differences.append(f"{counted(new.in_turn, 'call')} in turn, now {old.in_turn:,}")
    if new.calls != old.calls:
        differences.append(f"{counted(new.calls, 'call')}, now {old.calls:,}")
    names = " or ".join([advice.mode, *advice.ties])
    return f"{names} instead: {'; '.join(differences)}."


def _tokens(low: Plan, high: Plan, bounds: Bounds | None) -> str:
    """The tokens that a run takes at most; the likely ones where nothing bounds them."""
    least, most = sorted((low.prompt_tokens, high.prompt_tokens))
    if bounds is None:
        prompts = counted(most, "prompt token")
        outputs = counted(high.output_tokens, "output token")
        return f"{prompts} and {outputs}, if each answer has {high.answer_tokens:,}"
    prompt_bound, output_bound = bounds.prompt_tokens.high, bounds.output_tokens.high
    if math.inf in (prompt_bound, output_bound):
        return f"About {ranged(least, most, 'prompt token')}; nothing bounds them"
    if least == most == prompt_bound:
        return f"{counted(most, 'prompt token')} and {at_most(output_bound, 'output token')}"
    return f"At most {prompt_bound:,} prompt and {counted(output_bound, 'output token')}"


def _how(low: Plan, high: Plan) -> str:
    if high.call_count == 1:
        return ""
    if high.longest_chain == high.call_count:
        return ", one after the other"
    if high.longest_chain == 1:
        return " at once"
    return f" in {ranged(low.longest_chain, high.longest_chain, 'level')}"
