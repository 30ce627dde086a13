"""Contradicting sources: who is read first may decide."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

from ui.lessons.exercises import first_that, offline, request_of, tries
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
    with_value,
)

_QUESTION = "When does the last ferry to Skarholm leave?"
_TIMES = ("18:10", "18:40", "19:05", "19:30", "20:15", "20:45", "21:20", "21:50")
_SOURCES = ("Harbour office", "Ticket booth", "Island hostel", "Tourist office", "Radio station")
_ASIDES = (
    "Bicycles travel free of charge.",
    "Dogs must be kept on a leash on deck.",
    "Coffee is sold on board.",
    "In a storm the captain decides.",
    "Large groups are asked to telephone first.",
)
_TIME = re.compile(r"\d\d:\d\d")


def _chunk(chance: Random, source: str, time: str) -> str:
    aside = chance.choice(_ASIDES)
    return f"{source}: the last ferry to Skarholm leaves the pier at {time}. {aside}"


def _candidates(seed: int) -> Iterator[Preset]:
    """Five sources, two of which agree."""
    for chance in tries(seed):
        one, two, three, four = chance.sample(_TIMES, 4)
        times = chance.sample((one, one, two, three, four), 5)
        sources = chance.sample(_SOURCES, 5)
        chunks = tuple(map(lambda s, t: _chunk(chance, s, t), sources, times))
        limits = {"window": 256, "num_output": 24, "padding": 24}
        yield Preset(request_of("refine", _QUESTION, chunks, **limits), offline)


def _said(found: Facts) -> list[str]:
    """The time that each chunk gives."""
    return [_TIME.findall(chunk)[0] for chunk in found.request.chunks]


def _final(found: Facts) -> str:
    [time] = set(_TIME.findall(found.trace.response or ""))
    return str(time)


def _ask(found: Facts) -> Question:
    return Question(
        f"These {len(found.request.chunks)} chunks disagree about the last ferry. Which time does"
        " the final answer of refine give?",
        tuple(sorted(set(_said(found)))),
        _final(found),
        "All of them match the question alike. The offline model keeps the answer so far unless"
        " the new chunk matches the question better.",
    )


def _show(found: Facts) -> Reveal:
    said, final = _said(found), _final(found)
    tally = Counter(said)

    def miss(guess: Choice) -> str:
        places = [number for number, time in enumerate(said, 1) if time == guess]
        read = f"chunk {places[0]} was read" if len(places) == 1 else "those chunks were read"
        return f"You said {guess}: {read} when the answer was there already."

    lines = tuple(
        Line("+" if number else "", f"say {time}", tally[time])
        for number, time in enumerate(sorted(tally))
    )
    return Reveal(
        f"{final}.",
        miss,
        ((*lines, Line("=", "chunks", len(said))),),
        f"{_vote(tally, final, said.index(final) + 1)} Another model may lean towards what it read"
        " last. Either way the order decides, and nobody counts votes.",
    )


def _vote(tally: Counter[str], final: str, first: int) -> str:
    """How many chunks say what the answer says, and that it is the first of them that counted."""
    if tally[final] > 1:
        return f"{tally[final]} chunks say so, and one of them, chunk {first}, was read first."
    return (
        f"Only chunk {first} says so, but it was read first. {max(tally.values())} chunks agree on"
        " another time."
    )


def _claim(found: Facts) -> bool:
    preset = with_value(Preset(found.request, offline), CONTROL, "reversed")
    turned = facts(preset)
    return _final(found) == _said(found)[0] != _final(turned) == _said(turned)[0]


CONTROL = Control("order", "Order of the chunks", ("as given", "reversed"))

ORDER = Lesson(
    "order",
    "Contradicting sources",
    "Retrieved chunks need not agree. refine reads them one after the other and shows the model"
    " its answer so far each time, so they are not heard as equals. The same chunks in another"
    " order can give another answer.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    CONTROL,
    ("steps", "compare"),
    _claim,
)
