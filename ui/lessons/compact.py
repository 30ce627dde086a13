"""Compact: what packing saves, and what overlap costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from synth.wording import counted
from ui.lessons.exercises import BRIDGE, first_that, numbers, offline, request_of, some, tries
from ui.lessons.lesson import Control, Facts, Lesson, Line, Preset, Question, Reveal, facts, planned
from ui.lessons.packed import missed_calls, packed_block, takes
from ui.lessons.sums import Block, room_block, room_of


def _candidates(seed: int) -> Iterator[Preset]:
    for chance in tries(seed):
        chunks = some(chance, BRIDGE.chunks, chance.randint(7, 10))
        limits = {"window": chance.randrange(260, 401, 10), "num_output": 48, "padding": 48}
        yield Preset(request_of("compact", BRIDGE.question, chunks, **limits), offline)


def _refining(found: Facts) -> int:
    """Calls that refine would make."""
    request = found.request
    return planned(replace(request, mode="refine"), request.num_output).call_count


def _ask(found: Facts) -> Question:
    request, calls, refining = found.request, found.high.call_count, _refining(found)
    room, total = room_of(request).room, sum(take.new for take in takes(found.high))
    return Question(
        f"refine makes {refining} calls for these {len(request.chunks)} chunks. How many does"
        " compact make?",
        numbers(calls, (1, refining), request.window // 10 + len(request.chunks), refining),
        calls,
        f"Together the chunks have {total:,} tokens, and a call has room for {room:,}. Each call"
        f" but the first repeats up to {int(room * request.overlap):,} of them.",
        asks="calls",
    )


def _show(found: Facts) -> Reveal:
    request, taken, refining = found.request, takes(found.high), _refining(found)
    packed = packed_block(found.high, taken, room_of(request).room)
    repeated = sum(take.overlap for take in taken)
    return Reveal(
        f"{counted(len(taken), 'call')}.",
        missed_calls(taken),
        (room_block(request), packed, _against(refining, len(taken))),
        "Every call pays for the template and the question again, so fewer calls cost less."
        f" {_overlap(repeated)}",
    )


def _against(refining: int, compacting: int) -> Block:
    """The calls that compact saves; with much overlap it may also make more."""
    theirs, ours = Line("", "calls of refine", refining), Line("−", "calls of compact", compacting)
    if compacting <= refining:
        return theirs, ours, Line("=", "calls saved", refining - compacting)
    theirs, ours = replace(theirs, sign="−"), replace(ours, sign="")
    return ours, theirs, Line("=", "calls more than refine", compacting - refining)


def _overlap(repeated: int) -> str:
    if not repeated:
        return "Nothing is sent twice here, but a thought may be cut in two."
    sent = f"{counted(repeated, 'token')} {'is' if repeated == 1 else 'are'}"
    return f"Overlap works against it: here {sent} sent again."


def _claim(found: Facts) -> bool:
    counts = {found.low.call_count, found.high.call_count, found.trace.call_count}
    return len(counts) == 1 and 1 < found.high.call_count <= _refining(found) // 2


COMPACT = Lesson(
    "compact",
    "Compact",
    "A call of refine holds a single chunk, and the rest of its window stays empty. compact first"
    " joins all chunks and cuts the whole into pieces that fill the room, then works like refine."
    " Where it cuts, the end of a piece is repeated in the next, so that no thought is cut in two.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    Control("overlap", "Overlap, as a share of the room", (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)),
    ("flow", "budget"),
    _claim,
)
