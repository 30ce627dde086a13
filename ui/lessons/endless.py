"""Never ends: answers as long as what they summarize."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from synth.llms import LLM, FunctionLLM
from synth.text_splitter import TokenTextSplitter
from synth.tokens import get_tokenizer
from synth.wording import counted
from ui.lessons.exercises import BRIDGE, LIGHTHOUSE, first_that, numbers, request_of, some, tries
from ui.lessons.lesson import (
    Choice,
    Control,
    Facts,
    Lesson,
    Line,
    Preset,
    Question,
    Reveal,
    facts,
    planned,
)
from ui.lessons.levels import answers_block, levels_of, packed_again
from ui.lessons.sums import room_block
from ui.request.request import Request

_LENGTHS = tuple(range(24, 145, 8))
_NOTES = re.compile(r"-{10,}\n(.*)\n-{10,}", re.DOTALL)


def wordy(request: Request) -> LLM:
    """A model that repeats its notes until num_output is used up."""
    count = get_tokenizer(request.encoding).count
    splitter = TokenTextSplitter(request.num_output, 0, tokenizer=request.encoding)

    def reply(prompt: str) -> str:
        notes = _NOTES.search(prompt)
        said = notes.group(1) if notes else prompt
        times = 1 + request.num_output // max(count(said), 1)
        return splitter.split_text(" ".join([said] * times))[0]

    return FunctionLLM(reply, request.window, request.num_output, request.encoding)


def _candidates(seed: int) -> Iterator[Preset]:
    for chance in tries(seed):
        source = chance.choice((BRIDGE, LIGHTHOUSE))
        chunks = some(chance, source.chunks, chance.randint(4, 9))
        limits = {"window": 256, "num_output": chance.randrange(80, 145, 8)}
        request = request_of(
            "tree_summarize", "Summarize the main points.", chunks, model="scripted", **limits
        )
        shortest = replace(request, num_output=_LENGTHS[0])
        if levels_of(planned(shortest, _LENGTHS[0]))[0] > 1:  # else there is no level 1
            yield Preset(request, wordy, scripted=True)


def _next(found: Facts) -> int:
    """Calls that level 1 would need for answers of num_output tokens."""
    return len(packed_again(found.request, levels_of(found.high)[0]))


def _ask(found: Facts) -> Question:
    calls, answer = levels_of(found.high)[0], _next(found)
    return Question(
        f"Level 0 makes {counted(calls, 'call')}. Every answer is as long as it may be,"
        f" {found.request.num_output:,} tokens. How many calls does level 1 need to read them?",
        numbers(answer, (1, 2 * answer + 3), found.request.num_output // 8 + calls, 1, calls),
        answer,
        "Compare the tokens of an answer with the room for chunks in a call.",
    )


def _show(found: Facts) -> Reveal:
    calls, above = levels_of(found.high)[0], _next(found)

    def miss(guess: Choice) -> str:
        return f"You said {guess}: the answers of level 0 fill {counted(above, 'call')}."

    counts = (("calls that level 1 needs", above), ("calls that level 0 made", calls))
    more, fewer = counts if above >= calls else counts[::-1]
    difference = "more calls" if above >= calls else "fewer calls"
    compared = (
        Line("", *more),
        Line("−", *fewer),
        Line("=", difference, abs(above - calls)),
    )
    return Reveal(
        f"{counted(above, 'call')} on level 1.",
        miss,
        (room_block(found.request), answers_block(found, 1), compared),
        _remark(found),
    )


def _remark(found: Facts) -> str:
    if found.high.problem is None:
        levels = counted(found.high.longest_chain, "level")
        return f"The answers are short enough: the tree shrinks and ends after {levels}."
    made = counted(found.high.call_count, "call")
    return (
        f"So it would go on for ever, and the guard of the Playground stops here after {made}. A"
        " cap on calls would stop it as well; llama-index-core goes on until Python's stack is"
        " full. Shorter answers or a larger window let the tree end."
    )


def _claim(found: Facts) -> bool:
    stopped = found.trace.error_kind == "NotShrinking" and found.high.problem is not None
    grows = _next(found) >= levels_of(found.high)[0]
    return stopped and grows and found.high.longest_chain == 1 and found.low.problem is None


ENDLESS = Lesson(
    "endless",
    "Never ends",
    "A tree of summaries ends because every level has less to read than the one below it. That"
    " holds only if answers are shorter than what they summarize. A model that writes as much as"
    " it reads builds a tree without a top.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    Control("num_output", "Length of an answer (num_output)", _LENGTHS),
    ("flow", "budget"),
    _claim,
)
