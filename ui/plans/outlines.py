"""The outline of a plan: how many calls there are on each level, and how much is cut off."""

from collections import Counter
from dataclasses import dataclass

from synth.modes.advice.what_if import Totals
from synth.text.wording import percent, ranged
from synth.words.coverage_words import chunk_tokens, cut_off_tokens
from ui.plans.plan_range import PlanRange

_NONE = Totals.refuse(None)


@dataclass(frozen=True)
class Outline:
    """The calls of each level, those first that read no answer; and what becomes of the chunks.

    `levels` are those with answers of num_output tokens; `short` and `long` are the totals
    with short answers and with these. `lost` of `tokens` are those that no call carries.
    `missing` says why there are no calls: there is no plan, or it may stop early. `about` says
    whether other answers could lead to other calls.
    """

    levels: tuple[int, ...] = ()
    short: Totals = _NONE
    long: Totals = _NONE
    lost: int = 0
    tokens: int = 0
    missing: str = ""
    about: bool = False

    @property
    def calls(self) -> int:
        """The calls of all levels."""
        return sum(self.levels)

    @property
    def said_calls(self) -> str:
        """The calls in words, with short answers and with long ones: "about 6 to 14 calls"."""
        return f"{'about ' * self.about}{ranged(self.short.calls, self.calls, 'call')}"

    @property
    def cut_off(self) -> str:
        """The share of the chunks' tokens that no call carries, such as "34 %"; empty for none."""
        return percent(self.lost, self.tokens) if self.lost else ""

    @property
    def shape(self) -> str:
        """How the calls wait for one another, in a word or two."""
        if self.calls <= 1:
            return "one prompt" if self.calls else ""
        if len(self.levels) == self.calls:
            return "in a chain"
        if len(self.levels) == 1:
            return "at once"
        return ranged(self.short.longest_chain, len(self.levels), "level")


def outline(found: PlanRange) -> Outline:
    """The outline of plans."""
    if found.plans is None:
        return Outline(missing="can't run" if found.refused else "no plan")
    low, high, bounds = found.plans
    if high.problem:
        return Outline(missing="may stop early")
    depths = Counter(call.depth for call in high.calls)
    return Outline(
        levels=tuple(depths[depth] for depth in sorted(depths)),
        short=Totals.of(low),
        long=Totals.of(high),
        lost=cut_off_tokens(high),
        tokens=chunk_tokens(high),
        about=[*bounds.calls] != sorted((low.call_count, high.call_count)),
    )
