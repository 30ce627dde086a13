"""What LlamaIndex really does here: a fixed padding that eats a small window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from synth.samples import SAMPLES
from synth.trace import Plan
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
from ui.lessons.packed import missed_calls, takes
from ui.lessons.sums import room_block, room_of
from ui.request import Behaviour
from ui.words import counted

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
    ours, theirs = (_as(found, name).call_count for name in ("documented", "llama_index"))
    chunks = len(found.request.chunks)
    window = found.request.window
    theirs_room = room_of(replace(found.request, behaviour="llama_index"))
    return Question(
        f"compact needs {counted(ours, 'call')} for these {chunks} chunks in a window of"
        f" {window:,} tokens, if its padding grows with the window. How many calls does"
        " llama-index-core make?",
        numbers(theirs, (1, chunks + 1), window // 32 + chunks, ours, chunks),
        theirs,
        f"Its padding is {theirs_room.padding:,} tokens, however small the window is.",
    )


def _show(found: Facts) -> Reveal:
    plan = _as(found, "llama_index")
    ours, theirs = _as(found, "documented").call_count, plan.call_count
    missed = missed_calls(takes(plan))

    def miss(guess: Choice) -> str:
        if int(guess) == ours:
            return f"You said {guess}: so many are enough with a padding that fits the window."
        return missed(guess)

    more = (
        Line("", "calls of llama-index-core", theirs),
        Line("−", "calls as documented", ours),
        Line("=", "more calls", theirs - ours),
    )
    rooms = [
        room_block(replace(found.request, behaviour=name)) for name in ("documented", "llama_index")
    ]
    remark = _REMARK if theirs > ours else _LARGE
    return Reveal(f"{counted(theirs, 'call')}.", miss, (*rooms, more), remark)


_REMARK = (
    "Nothing warns you: the answer comes, only slower and dearer. The package takes another padding"
    " only where you construct Refine or CompactAndRefine yourself, as response_padding_size. In"
    " the Playground a finding under the plan says where LlamaIndex would do otherwise."
)
_LARGE = (
    "In a window as large as this one the fixed padding costs no call. It is small windows that it"
    " eats, such as those of models on your own machine."
)


def _claim(found: Facts) -> bool:
    ours, theirs = _as(found, "documented"), _as(found, "llama_index")
    counts = {found.low.call_count, found.high.call_count, found.trace.call_count}
    return ours.call_count < theirs.call_count and counts == {theirs.call_count}


UPSTREAM = Lesson(
    "upstream",
    "What LlamaIndex really does",
    "The Playground keeps to the documents of LlamaIndex by default. The package itself does some"
    " things differently, and behaviour llama_index shows them. Here it is the padding, the tokens"
    " that refine and compact leave empty for the answer so far: the package has a fixed number.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    Control("window", "Context window", tuple(range(768, 2305, 32))),
    ("compare", "budget"),
    _claim,
)
