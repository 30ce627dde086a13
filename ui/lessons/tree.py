"""Three levels deep: summaries of summaries."""

from __future__ import annotations

from collections.abc import Iterator

from synth.wording import counted
from ui.lessons.exercises import (
    BRIDGE,
    LIGHTHOUSE,
    first_that,
    numbers,
    offline,
    request_of,
    some,
    tries,
)
from ui.lessons.lesson import Choice, Control, Facts, Lesson, Line, Preset, Question, Reveal, facts
from ui.lessons.levels import answers_block, levels_of
from ui.lessons.sums import room_block


def _candidates(seed: int) -> Iterator[Preset]:
    for chance in tries(seed):
        chunks = some(chance, (*BRIDGE.chunks, *LIGHTHOUSE.chunks), chance.randint(6, 16))
        request = request_of(
            "tree_summarize",
            "Summarize the main points.",
            chunks,
            window=chance.randrange(170, 231, 10),
            num_output=chance.choice((24, 32, 40)),
        )
        yield Preset(request, offline)


def _ask(found: Facts) -> Question:
    request, calls = found.request, found.high.call_count
    bottom = levels_of(found.high)[0]
    return Question(
        f"Level 0, which reads the {len(request.chunks)} chunks, has {counted(bottom, 'call')}. If"
        f" every answer has {request.num_output:,} tokens, how many calls are there on all levels?",
        numbers(calls, (1, calls + 5), request.window // 10 + len(request.chunks), bottom),
        calls,
        "The answers of a level are packed as chunks are, and the next level reads them. The last"
        " level is a single call.",
        asks="calls",
    )


def _show(found: Facts) -> Reveal:
    levels, calls = levels_of(found.high), found.high.call_count

    def miss(guess: Choice) -> str:
        if int(guess) > calls:
            return f"You said {guess}: after {counted(calls, 'call')} a single answer is left."
        return f"You said {guess}: that leaves out {counted(calls - int(guess), 'call')} higher up."

    counts = tuple(
        Line("+" if level else "", f"level {level}", count) for level, count in enumerate(levels)
    )
    answers = [answers_block(found, level) for level in range(1, len(levels))]
    return Reveal(
        f"{counted(calls, 'call')} on {counted(len(levels), 'level')}.",
        miss,
        (room_block(found.request), *answers, (*counts, Line("=", "calls", calls))),
        "Calls of one level go out together, so the waiting time grows with the levels and not"
        " with the chunks. But the higher a level, the less of the chunks' own words it sees.",
    )


def _claim(found: Facts) -> bool:
    ended = found.trace.response is not None and found.high.longest_chain == 3
    return ended and levels_of(found.high) == levels_of(found.trace)


TREE = Lesson(
    "tree",
    "Three levels deep",
    "tree_summarize fills calls with chunks and asks all of them at once. The answers become the"
    " chunks of the next level, and so on, until everything fits into one call. That last call"
    " gives the answer.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    Control("window", "Context window", tuple(range(170, 481, 10))),
    ("flow", "budget"),
    _claim,
)
