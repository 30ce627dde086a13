"""One token too many: where a little text costs a whole call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from synth.wording import counted
from ui.lessons.exercises import LIGHTHOUSE, first_that, numbers, offline, request_of, some, tries
from ui.lessons.lesson import Control, Facts, Lesson, Preset, Question, Reveal, facts, planned
from ui.lessons.packed import missed_calls, packed_block, takes
from ui.lessons.sums import room_block, room_of
from ui.request.request import Request

WINDOWS = range(300, 701)  # tokens


def _candidates(seed: int) -> Iterator[Preset]:
    """Inputs whose window is just too small for some number of calls."""
    for chance in tries(seed):
        chunks = some(chance, LIGHTHOUSE.chunks, chance.randint(5, 8))
        limits = {"window": 0, "num_output": 48, "padding": 48}
        request = request_of("compact", LIGHTHOUSE.question, chunks, **limits)
        calls = chance.choice((1, 2, 2, 3)) if seed else 2
        yield Preset(replace(request, window=_enough(request, calls) - 1), offline)


def _enough(request: Request, calls: int) -> int:
    """The smallest window in which so many calls are enough; the largest if none is."""
    few, many = WINDOWS[-1], WINDOWS[0] - 1
    while few - many > 1:
        middle = (few + many) // 2
        if _calls(replace(request, window=middle)) > calls:
            many = middle
        else:
            few = middle
    return few


def _calls(request: Request) -> int:
    return planned(request, request.num_output).call_count


def _ask(found: Facts) -> Question:
    request, calls = found.request, found.high.call_count
    chunks, total = len(request.chunks), sum(take.new for take in takes(found.high))
    return Question(
        f"How many calls will compact make for these {chunks} chunks?",
        numbers(calls, (1, chunks + 1), request.window + chunks, chunks),
        calls,
        f"There is room for {room_of(request).room:,} tokens of chunks in a call. Together the"
        f" chunks have {total:,}.",
        asks="calls",
    )


def _show(found: Facts) -> Reveal:
    request, taken = found.request, takes(found.high)
    return Reveal(
        f"{counted(len(taken), 'call')}.",
        missed_calls(taken),
        (room_block(request), packed_block(found.high, taken, room_of(request).room)),
        f"{_saving(request, len(taken))} Even the smallest rest needs a whole call, with the"
        " template and the question once more.",
    )


def _saving(request: Request, calls: int) -> str:
    if calls == 1:
        return "All chunks are in one call, and no window could save more."
    more = _enough(request, calls - 1) - request.window
    return f"{counted(more, 'more token')} of window would save a call."


def _claim(found: Facts) -> bool:
    wider = replace(found.request, window=found.request.window + 1)
    return _calls(wider) == found.high.call_count - 1 == found.trace.call_count - 1


CLIFF = Lesson(
    "cliff",
    "One token too many",
    "compact packs chunks into as few calls as fit. Each call must hold the template, the"
    " question, the answer so far and room for the new answer; the rest is room for chunks."
    " Neighbouring calls share a little text, the overlap.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    Control("window", "Context window", tuple(WINDOWS)),
    ("budget", "flow", "curve"),
    _claim,
)
