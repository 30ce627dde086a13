"""What LlamaIndex really does here: a fixed padding that eats a small window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from synth.samples import SAMPLES
from synth.trace import Plan
from synth.wording import counted
from ui.lessons.exercises import first_that, numbers, offline, request_of, some, tries
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
from ui.lessons.packed import missed_calls, packed_block, takes
from ui.lessons.sums import room_block, room_of
from ui.request.request import Behaviour

[_SAMPLE] = [sample for sample in SAMPLES if sample.name == "post_mortem"]


def _candidates(seed: int) -> Iterator[Preset]:
    for chance in tries(seed):
        chunks = some(chance, _SAMPLE.chunks, chance.randint(6, 12)) if seed else _SAMPLE.chunks
        limits = {"window": chance.randrange(896, 1281, 32) if seed else 1024, "num_output": 128}
        request = request_of("compact", _SAMPLE.question, chunks, behaviour="llama_index", **limits)
        yield Preset(request, offline)


def _as(found: Facts, behaviour: Behaviour) -> Plan:
    """The plan of the same input under a behaviour."""
    request = replace(found.request, behaviour=behaviour)
    return planned(request, request.num_output)


def _ask(found: Facts) -> Question:
    request, calls = found.request, found.high.call_count
    ours, chunks = _as(found, "documented").call_count, len(request.chunks)
    padding = room_of(request).padding
    if request.behaviour == "documented":
        text = "As documented, how many calls does compact make for these"
        hint = f"The padding grows with the window: here it is {padding:,} tokens."
    else:
        text = (
            f"As documented, compact makes {counted(ours, 'call')} here. How many does"
            " llama-index-core make for these"
        )
        hint = f"It keeps {padding:,} tokens of padding, however small the window is."
    return Question(
        f"{text} {chunks} chunks in a window of {request.window:,} tokens?",
        numbers(calls, (1, chunks + 1), request.window // 32 + chunks, ours, chunks),
        calls,
        hint,
        asks="calls",
    )


def _show(found: Facts) -> Reveal:
    request, plan = found.request, found.high
    taken, room = takes(plan), room_of(request)
    head, missed = f"{counted(len(taken), 'call')}.", missed_calls(taken)
    sums = (room_block(request), packed_block(plan, taken, room.room))
    if request.behaviour == "documented":
        return Reveal(head, missed, sums, _DOCUMENTED)
    ours = _as(found, "documented")

    def miss(guess: Choice) -> str:
        if int(guess) == ours.call_count:
            return f"You said {guess}: so many are enough as documented, with less padding."
        return missed(guess)

    wider = room_of(replace(request, behaviour="documented"))
    compared = (
        Line("", "room for chunks as documented", wider.room),
        Line("−", "room for chunks in llama-index-core", room.room),
        Line("=", "room that the package leaves unused", wider.room - room.room),
    )
    return Reveal(head, miss, (*sums, compared), _PACKAGE)


_DOCUMENTED = (
    "The padding keeps room for the answer so far. It need not be larger than an answer, and a"
    " padding that follows the window leaves the rest to the chunks."
)
_PACKAGE = (
    "Nothing warns you: the answer comes, only slower and dearer. The package takes another padding"
    " only where you construct Refine or CompactAndRefine yourself, as response_padding_size. In"
    " the Playground a finding under the plan says where LlamaIndex would do otherwise."
)


def _claim(found: Facts) -> bool:
    ours, theirs = _as(found, "documented"), _as(found, "llama_index")
    counts = {found.low.call_count, found.high.call_count, found.trace.call_count}
    return ours.call_count < theirs.call_count and counts == {theirs.call_count}


UPSTREAM = Lesson(
    "upstream",
    "What LlamaIndex really does",
    "The Playground keeps to what LlamaIndex's documents say. The package, llama-index-core, does"
    " some things differently. One of them is the padding, the tokens that refine and compact leave"
    " empty for the answer so far: the package keeps the same number in every window.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    Control("behaviour", "Behaviour", ("documented", "llama_index")),
    ("compare", "budget"),
    _claim,
)
