"""The least and the most that a run can make, whatever the model answers in num_output tokens.

A plan says what answers of one length would do. Between two lengths a run can leave the
range of their plans, so a bound is worked out for itself. Each mode says its bounds beside
its `steps`; the arithmetic that the modes share is in this file. Its tokens are those of the
packer's tokenizer, so bounds are as sure as that. It rests on three facts:

- The first batch reads no answer, so its prompts are known.
- An answer of n tokens adds n tokens to a prompt, and a few where it joins its neighbours:
  fewer than `JOINT` at each end.
- A text that is cut is filled by its own count: each part but the last is as long as it
  can be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synth.prompts.packing import JOINT, Filled, Packer, placeholder_answer
from synth.runs.prices import Price
from synth.text.spans import Text

_EDGES = 8 * JOINT  # tokens that a part of a cut text may lack: trimmed, joined, cut once more


class Range(NamedTuple):
    """The least and the most; `high` is math.inf where nothing bounds it."""

    low: int
    high: float

    @property
    def exact(self) -> bool:
        """Return whether it can be one value only."""
        return self.low == self.high


@dataclass(frozen=True)
class Bounds:
    """What a run makes at least and at most if every answer has 0 to num_output tokens.

    Its output is those tokens and the room for reasoning.
    They hold for each run that comes to its end without `function_mappings` of answers.
    """

    calls: Range
    prompt_tokens: Range
    output_tokens: Range
    longest_chain: Range

    @classmethod
    def batch(cls, prompt_tokens: Sequence[int], most_output: int) -> Bounds:
        """Bound calls that are certain to go out together, with prompts of these tokens."""
        calls, tokens = len(prompt_tokens), sum(prompt_tokens)
        chain = min(calls, 1)
        return cls(
            Range(calls, calls),
            Range(tokens, tokens),
            Range(0, calls * most_output),
            Range(chain, chain),
        )

    @classmethod
    def in_turn(cls, parts: Iterable[Bounds]) -> Bounds:
        """Return the bounds of parts that each wait for the answers of the one before."""
        ranges: list[list[Range]] = [list(vars(part).values()) for part in (NOTHING, *parts)]
        return cls(
            *(
                Range(sum(one.low for one in same), sum(one.high for one in same))
                for same in zip(*ranges, strict=True)
            )
        )

    def cost(self, price: Price) -> float:
        """Return the most that all prompts and answers cost, in US dollars."""
        return price.at_most(self.prompt_tokens.high, self.output_tokens.high)

    def or_more(self) -> Bounds:
        """Return the bounds of a run that makes at least this; nothing bounds how much more."""
        return Bounds(*(Range(low, math.inf) for low, _ in vars(self).values()))


NOTHING = Bounds.batch((), 0)


def bound_refine(packer: Packer, question: Filled, refine: Filled, texts: Sequence[Text]) -> Bounds:
    """Bound the calls of refine that follow its first, one for each of these texts."""
    if not texts:
        return NOTHING
    helper, repeats = packer.helper, refine.template.uses("existing_answer")
    answers = ("", placeholder_answer(helper.tokenizer, helper.num_output))
    templates = [question, *(refine.partial(existing_answer=answer) for answer in answers)]
    costs = [(packer.count_used(filled), filled.uses) for filled in templates]
    joints = 2 * JOINT * (max(question.uses, refine.uses) + repeats)
    least, most = 0, 0
    for text in texts:
        tokens = helper.tokenizer.count(str(text))
        sizes = [used + uses * tokens for used, uses in costs]
        longest = max(sizes) + joints
        least += max(0, min(sizes) - joints)
        most += min(longest, packer.limit) if packer.counts_exactly else longest
    calls = Range(len(texts), len(texts))
    prompt_tokens = Range(least, most)
    if question.template.function_mappings or refine.template.function_mappings:
        prompt_tokens = Range(0, len(texts) * packer.limit if packer.counts_exactly else math.inf)
    return Bounds(calls, prompt_tokens, Range(0, len(texts) * helper.most_output), calls)


def bound_tree(packer: Packer, template: Filled, texts: int) -> Bounds:
    """Bound the levels of tree_summarize that read so many answers, unless one is no narrower."""
    levels: list[Bounds] = []
    helper, each = packer.helper, packer.helper.num_output + 1 + 3 * JOINT
    used = packer.count_used(template) + 2 * template.uses * JOINT
    while texts > 1:
        tokens = texts * each
        cut = math.inf if template.template.function_mappings else _parts(packer, template, tokens)
        if cut >= texts:
            return NOTHING.or_more()
        texts = int(cut)
        repeated = (texts - 1) * int(helper.chunk_overlap_ratio * packer.limit)
        most = texts * used + template.uses * (tokens + repeated)
        if packer.counts_exactly:
            most = min(most, texts * packer.limit)
        levels.append(
            Bounds(
                Range(0, texts), Range(0, most), Range(0, texts * helper.most_output), Range(0, 1)
            )
        )
    return Bounds.in_turn(levels)


def _parts(packer: Packer, template: Filled, tokens: int) -> float:
    """Return how many parts a text of so many tokens may be packed into.

    Two parts in a row have more tokens than one can: the second begins where the first had no room.
    """
    size = packer.chunk_size(template) - JOINT
    if tokens <= size:
        return 1
    new = size - int(packer.helper.chunk_overlap_ratio * size) - _EDGES
    if not packer.counts_exactly or new <= 0:
        return math.inf
    return 2 * ((tokens + JOINT) // new) + 1
