"""Accumulate: the same question to every chunk, and a list of answers."""

from __future__ import annotations

from collections.abc import Iterator

from synth.wording import counted
from ui.lessons.exercises import LIGHTHOUSE, first_that, numbers, offline, request_of, some, tries
from ui.lessons.lesson import Choice, Control, Facts, Lesson, Line, Preset, Question, Reveal, facts
from ui.lessons.packed import pieces
from ui.lessons.sums import room_block, room_of


def _candidates(seed: int) -> Iterator[Preset]:
    """Chunks of which some are two paragraphs long."""
    for chance in tries(seed):
        paragraphs = list(some(chance, LIGHTHOUSE.chunks, chance.randint(5, 8)))
        for place in sorted(chance.sample(range(3), chance.randint(1, 2))):
            paragraphs[place : place + 2] = [" ".join(paragraphs[place : place + 2])]
        limits = {"window": chance.randrange(160, 201, 8), "num_output": 48}
        request = request_of("accumulate", LIGHTHOUSE.question, tuple(paragraphs), **limits)
        yield Preset(request, offline)


def _ask(found: Facts) -> Question:
    chunks, calls = len(found.request.chunks), found.high.call_count
    largest = max(chunk.tokens for chunk in found.high.coverage)
    return Question(
        f"accumulate reads these {chunks} chunks. How many answers are in its list?",
        numbers(calls, (1, calls + chunks), largest, 1, chunks),
        calls,
        f"There is room for {room_of(found.request).room:,} tokens of a chunk in a call. The"
        f" largest chunk has {largest:,}, and what is too large is cut.",
        asks="calls",
    )


def _show(found: Facts) -> Reveal:
    chunks, calls = len(found.request.chunks), found.high.call_count

    def miss(guess: Choice) -> str:
        if int(guess) < chunks:
            return f"You said {guess}: no two chunks share a call, and there are {chunks}."
        if int(guess) > calls:
            return f"You said {guess}: the chunks are cut into only {counted(calls, 'part')}."
        return f"You said {guess}: a chunk that is cut has an answer for each of its parts."

    parts = (*pieces(found), Line("=", "calls, each with an answer of its own", calls))
    return Reveal(
        f"{counted(calls, 'answer')}.",
        miss,
        (room_block(found.request), parts),
        "No call waits for another, so all can go out at once. Nobody puts the answers together"
        " afterwards: the list may repeat itself, and chunks that have nothing to say answer too.",
    )


def _claim(found: Facts) -> bool:
    cut = found.high.call_count > len(found.request.chunks)
    listed = (found.trace.response or "").count("Response ") == found.high.call_count
    return cut and listed and found.trace.longest_chain == 1


ACCUMULATE = Lesson(
    "accumulate",
    "Accumulate",
    "accumulate asks every chunk the same question, each in a call of its own, and returns all"
    " answers as a numbered list. It suits questions to which each source may have its own answer."
    " A chunk too large for the room is cut into parts, and each part is asked.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    Control("window", "Context window", tuple(range(128, 257, 8))),
    ("flow", "budget"),
    _claim,
)
