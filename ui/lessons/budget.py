"""The first lessons: what a window must hold, what packing is, and where it costs a call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from synth.budget import budget
from ui.lessons.exercises import chunks_of, first_that, numbers, offline, request_of, tries
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
from ui.lessons.sums import (
    joined,
    missed_calls,
    packed_block,
    room_block,
    room_of,
    takes,
    tokenizer_of,
)
from ui.request import Request
from ui.words import counted

QUESTION = "How did life at the lighthouse change over time?"


def _window(seed: int) -> Preset:
    chance = next(tries(seed))
    chunks = chunks_of("lighthouse")
    request = request_of(
        "simple_summarize",
        QUESTION,
        tuple(chance.sample(chunks, 3)) if seed else chunks[:3],
        window=chance.choice((480, 512, 560, 600, 640)) if seed else 512,
        num_output=chance.choice((64, 96, 128, 160)) if seed else 128,
    )
    return Preset(request, offline)


def _ask_room(found: Facts) -> Question:
    request, room = found.request, room_of(found.request)
    window, answer = request.window, request.num_output
    fixed = room.template + room.query
    choices = {window, window - answer, window - fixed, window - fixed - answer, room.room}
    return Question(
        f"The window holds {window:,} tokens, and the answer may take {answer:,} of them."
        " How many are left for chunks?",
        tuple(sorted(choices)),
        room.room,
        f"The template takes {room.template:,} tokens and the question {room.query:,}. A small"
        " reserve, the padding, stays empty.",
    )


def _show_room(found: Facts) -> Reveal:
    room = room_of(found.request)

    def miss(guess: Choice) -> str:
        over = int(guess) - room.room
        return f"You said {int(guess):,}: that counts {over:,} tokens that are taken already."

    return Reveal(
        f"{room.room:,} tokens.",
        miss,
        (room_block(found.request),),
        "Prompt and answer share the window: what one of them takes, the other can't have.",
    )


def _leaves_room(found: Facts) -> bool:
    [call] = found.high.calls
    parts = budget(call, found.high.setup)
    return parts.context + parts.free == room_of(found.request).room and parts.free > 0


WHY = Lesson(
    "why",
    "Why a budget",
    "A language model reads and writes tokens: words, or pieces of words. It can hold only so"
    " many at once, its context window. The prompt and the answer must fit into it together,"
    " so the room for chunks, the texts that you want an answer from, is what is left over.",
    _window,
    _ask_room,
    _show_room,
    Control("num_output", "Tokens kept for the answer (num_output)", tuple(range(16, 257, 8))),
    ("budget",),
    _leaves_room,
)

PACKING = ("compact", "tree_summarize", "compact_accumulate")
ONE_BY_ONE = ("refine", "accumulate")


def _roomy(seed: int) -> Preset:
    chance = next(tries(seed))
    chunks = chunks_of("lighthouse")
    count = chance.randint(3, 6)
    mode = chance.choice((*PACKING, *ONE_BY_ONE, *ONE_BY_ONE)) if seed else "compact"
    chosen = tuple(chance.sample(chunks, count)) if seed else chunks[:4]
    return Preset(request_of(mode, QUESTION, chosen, window=1024, num_output=128), offline)


def _ask_fitting(found: Facts) -> Question:
    chunks, mode = len(found.request.chunks), found.request.mode
    return Question(
        f"{chunks} chunks, and room for all of them in one call. How many calls will {mode} make?",
        tuple(range(1, chunks + 2)),
        found.high.call_count,
        f"Is {mode} one of the modes that pack?",
    )


def _show_fitting(found: Facts) -> Reveal:
    request, calls = found.request, found.high.call_count
    packs = request.mode in PACKING
    room, chunks = room_of(request).room, len(request.chunks)

    def miss(guess: Choice) -> str:
        if packs:
            return f"You said {guess}: all {chunks} chunks are in the first call."
        return f"You said {guess}: {request.mode} asks about each of the {chunks} chunks alone."

    together = planned(replace(request, mode="compact_accumulate"), request.num_output)
    taken = takes(together.calls, tokenizer_of(request))
    total = Line("−", f"{joined(chunks)} together", sum(take.new for take in taken))
    free = Line("=", "free, so all of them fit", room - total.amount)
    alone = (
        Line("", "chunks", chunks),
        Line("×", f"a call of {request.mode} for each", 1),
        Line("=", "calls", calls),
    )
    sums = (room_block(request), (Line("", "room for chunks in one call", room), total, free))
    return Reveal(
        f"{counted(calls, 'call')}.",
        miss,
        sums if packs else (*sums, alone),
        "A mode that packs needs one call where all fits. One that does not pack needs a call a"
        " chunk, however much room there is.",
    )


def _fits(found: Facts) -> bool:
    packs = found.request.mode in PACKING
    expected = 1 if packs else len(found.request.chunks)
    return found.high.call_count == found.low.call_count == found.trace.call_count == expected


FITS = Lesson(
    "fits",
    "It all fits",
    "How chunks become calls to the model depends on the mode. compact, tree_summarize and"
    " compact_accumulate pack: they put as many chunks into each call as there is room for."
    " refine and accumulate don't: they ask about one chunk at a time.",
    _roomy,
    _ask_fitting,
    _show_fitting,
    Control("mode", "Mode", (*PACKING, *ONE_BY_ONE)),
    ("budget", "flow"),
    _fits,
)

CLIFFS = range(300, 701)  # windows, in tokens


def _cliffs(seed: int) -> Iterator[Preset]:
    """Inputs with a window in which one more token would save a call."""
    for chance in tries(seed):
        chunks = chunks_of("lighthouse")
        count, most = (chance.randint(5, 7), chance.choice((1, 1, 2, 3))) if seed else (6, 1)
        request = request_of(
            "compact",
            QUESTION,
            tuple(chance.sample(chunks, count)) if seed else chunks[:count],
            window=0,
            num_output=48,
            padding=48,
        )
        yield Preset(_before_cliff(request, most), offline)


def _before_cliff(request: Request, calls: int) -> Request:
    """The request with the largest window in which it needs more than so many calls."""
    few, many = CLIFFS[-1], CLIFFS[0]
    while few - many > 1:
        middle = (few + many) // 2
        if _calls(replace(request, window=middle)) > calls:
            many = middle
        else:
            few = middle
    return replace(request, window=many)


def _calls(request: Request) -> int:
    return planned(request, request.num_output).call_count


def _ask_calls(found: Facts) -> Question:
    request, calls = found.request, found.high.call_count
    room, chunks = room_of(request).room, len(request.chunks)
    total = sum(take.new for take in takes(found.high.calls, tokenizer_of(request)))
    return Question(
        f"How many calls will compact make for these {chunks} chunks?",
        numbers(calls, 1, request.window + chunks, chunks),
        calls,
        f"There is room for {room:,} tokens of chunks in a call. Together they have {total:,}.",
    )


def _show_calls(found: Facts) -> Reveal:
    request = found.request
    taken = takes(found.high.calls, tokenizer_of(request))
    packed = packed_block(len(request.chunks), taken, room_of(request).room)
    return Reveal(
        f"{counted(len(taken), 'call')}.",
        missed_calls(taken),
        (room_block(request), packed),
        "The last few tokens cost a whole call, with the template, the question and all. It is"
        " often cheaper to find a little more room than to pay for it.",
    )


def _one_more_saves(found: Facts) -> bool:
    wider = replace(found.request, window=found.request.window + 1)
    return _calls(wider) == found.high.call_count - 1 == found.trace.call_count - 1


CLIFF = Lesson(
    "cliff",
    "One token too many",
    "compact packs chunks into as few calls as fit. Each call must hold the template, the"
    " question, the answer so far and room for the new answer; the rest is room for chunks."
    " Neighbouring calls share a little text, the overlap.",
    lambda seed: first_that(lambda preset: _one_more_saves(facts(preset)), _cliffs(seed)),
    _ask_calls,
    _show_calls,
    Control("window", "Context window", tuple(CLIFFS)),
    ("budget", "flow", "curve"),
    _one_more_saves,
)
