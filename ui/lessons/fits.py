"""It all fits: modes that pack, and modes that ask chunk by chunk."""

from __future__ import annotations

from dataclasses import replace

from synth.wording import counted
from ui.lessons.exercises import LIGHTHOUSE, numbers, offline, request_of, some, tries
from ui.lessons.lesson import (
    Choice,
    Control,
    Facts,
    Lesson,
    Line,
    Preset,
    Question,
    Reveal,
    planned,
)
from ui.lessons.packed import packed_block, takes
from ui.lessons.sums import room_block, room_of

PACKING = ("compact", "tree_summarize", "compact_accumulate")
ONE_BY_ONE = ("refine", "accumulate")


def _preset(seed: int) -> Preset:
    chance = next(tries(seed))
    chunks = some(chance, LIGHTHOUSE.chunks, chance.randint(3, 6))
    mode = chance.choice((*PACKING, *ONE_BY_ONE, *ONE_BY_ONE)) if seed else "compact"
    request = request_of(mode, LIGHTHOUSE.question, chunks, window=1024, num_output=128)
    return Preset(request, offline)


def _ask(found: Facts) -> Question:
    chunks, mode = len(found.request.chunks), found.request.mode
    return Question(
        f"There are {chunks} chunks, and room for all of them in one call. How many calls will"
        f" {mode} make?",
        numbers(found.high.call_count, (1, chunks + 1), chunks, 1, chunks),
        found.high.call_count,
        f"Is {mode} a mode that packs, or does it ask about one chunk at a time?",
        asks="calls",
    )


def _show(found: Facts) -> Reveal:
    request, calls, chunks = found.request, found.high.call_count, len(found.request.chunks)
    packs = request.mode in PACKING

    def miss(guess: Choice) -> str:
        if packs:
            return f"You said {guess}: the first call has room for all {chunks} chunks."
        return f"You said {guess}: {request.mode} asks about each of the {chunks} chunks alone."

    together = planned(replace(request, mode="compact_accumulate"), request.num_output)
    fitting = packed_block(together, takes(together), room_of(request).room)
    alone = (
        Line("", "chunks", chunks),
        Line("×", f"calls of {request.mode} for a chunk", 1),
        Line("=", "calls", calls),
    )
    sums = (room_block(request), fitting)
    return Reveal(
        f"{counted(calls, 'call')}.",
        miss,
        sums if packs else (*sums, alone),
        "Where everything fits, a mode that packs needs a single call. A mode that does not pack"
        " makes a call for each chunk, however much room there is.",
    )


def _claim(found: Facts) -> bool:
    expected = 1 if found.request.mode in PACKING else len(found.request.chunks)
    return found.high.call_count == found.low.call_count == found.trace.call_count == expected


FITS = Lesson(
    "fits",
    "It all fits",
    "The mode decides how chunks become calls to the model. compact, tree_summarize and"
    " compact_accumulate pack: each call gets as many chunks as there is room for. refine and"
    " accumulate ask about one chunk at a time.",
    _preset,
    _ask,
    _show,
    Control("mode", "Mode", (*PACKING, *ONE_BY_ONE)),
    ("budget", "flow"),
    _claim,
)
