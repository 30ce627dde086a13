"""Sums of a tree: how many calls each level has, and what the answers of one are to the next."""

from __future__ import annotations

from collections import Counter

from synth.run import placeholder_answer
from synth.spans import Text
from synth.trace import Plan, Trace
from ui.lessons.lesson import Facts, Line
from ui.lessons.sums import Block
from ui.request.request import Request


def levels_of(found: Plan | Trace) -> list[int]:
    """Calls on each level, from the one that reads the chunks."""
    counts = Counter(call.depth for call in found.calls)
    return [counts[level] for level in sorted(counts)]


def answers_block(found: Facts, level: int) -> Block:
    """What the answers below a level have together, if all are as long as they may be."""
    below, tokens = levels_of(found.high)[level - 1], found.request.num_output
    return (
        Line("", f"answers of level {level - 1}", below),
        Line("×", "tokens of an answer, as num_output allows", tokens),
        Line("=", f"tokens for level {level} to read", below * tokens),
    )


def packed_again(request: Request, answers: int) -> list[Text]:
    """The texts of a level that reads so many answers of num_output tokens."""
    synthesizer = request.synthesizer()
    variables = dict(request.variables)
    template = synthesizer.filled("summary_template", query_str=request.query, **variables)
    answer = placeholder_answer(synthesizer.prompt_helper.tokenizer, request.num_output)
    texts = [Text.of(answer, "answer", number) for number in range(1, answers + 1)]
    return synthesizer.packer.repack(template, texts)
