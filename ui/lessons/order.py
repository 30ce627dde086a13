"""Contradicting sources: the chunk that is read first may decide."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

from synth.wording import numbered
from ui.lessons.exercises import attempts, first_that_shows, offline, request_of
from ui.lessons.lesson import (
    Choice,
    Control,
    Lesson,
    LessonFacts,
    LessonQuestion,
    Preset,
    Reveal,
    SumLine,
    facts_of,
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
    for chance in attempts(seed):
        one, two, three, four = chance.sample(_TIMES, 4)
        times = chance.sample((one, one, two, three, four), 5)
        sources = chance.sample(_SOURCES, 5)
        chunks = tuple(map(lambda s, t: _chunk(chance, s, t), sources, times))
        limits = {"window": 256, "num_output": 24, "padding": 24}
        yield Preset(request_of("refine", _QUESTION, chunks, **limits), offline)


def _times(facts: LessonFacts) -> list[str]:
    """The time that each chunk gives."""
    return [_TIME.findall(chunk)[0] for chunk in facts.request.chunks]


def _final(facts: LessonFacts) -> str:
    [time] = set(_TIME.findall(facts.trace.response or ""))
    return str(time)


def _question(facts: LessonFacts) -> LessonQuestion:
    return LessonQuestion(
        text=f"These {len(facts.request.chunks)} chunks disagree about the last ferry. Which time"
        " does the final answer of refine give?",
        choices=tuple(sorted(set(_times(facts)))),
        answer=_final(facts),
        hint="All chunks match the question equally well. The offline model keeps the answer so"
        " far unless the new chunk matches better.",
    )


def _reveal(facts: LessonFacts) -> Reveal:
    times, final = _times(facts), _final(facts)
    tally = Counter(times)

    def miss(guess: Choice) -> str:
        numbers = [number for number, time in enumerate(times, 1) if time == guess]
        return f"You said {guess}: {numbered('chunk', numbers)} came too late to change the answer."

    lines = tuple(
        SumLine("+" if number else "", f"chunks that say {time}", tally[time])
        for number, time in enumerate(sorted(tally))
    )
    return Reveal(
        head=f"{final}.",
        miss=miss,
        sums=((*lines, SumLine("=", "chunks", len(times))),),
        remark=f"{_agreement(tally, final, times.index(final) + 1)} Another model may prefer what"
        " it reads last. Either way the order decides, and not the number of chunks that agree.",
    )


def _agreement(tally: Counter[str], final: str, first: int) -> str:
    """The number of chunks that agree with the answer, and the one that was read first."""
    if tally[final] > 1:
        return f"{tally[final]} chunks say so, and one of them, chunk {first}, was read first."
    return (
        f"Only chunk {first} says so, but it was read first. {max(tally.values())} chunks agree"
        " on another time."
    )


def _claim(facts: LessonFacts) -> bool:
    preset = with_value(Preset(facts.request, offline), CONTROL, "reversed")
    reversed_facts = facts_of(preset)
    return _final(facts) == _times(facts)[0] != _final(reversed_facts) == _times(reversed_facts)[0]


CONTROL = Control("order", "Order of the chunks", ("as given", "reversed"))

ORDER = Lesson(
    key="order",
    title="Contradicting sources",
    text="Retrieved chunks may contradict each other. refine sends them one after the other,"
    " each with the answer so far, so the first chunk has an advantage. The same chunks in"
    " another order can give another answer.",
    preset=first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=CONTROL,
    pictures=("steps", "compare"),
    claim=_claim,
)
