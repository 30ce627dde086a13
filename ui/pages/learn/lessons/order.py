"""Contradicting sources: the order of the chunks decides."""

import re
from collections import Counter
from random import Random

from synth.llms import LLM
from synth.text.wording import numbered
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request

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
_SOURCE = re.compile("|".join(_SOURCES), re.IGNORECASE)


def scripted(request: Request) -> LLM:
    """A model that believes the source it reads last, and mentions the one before."""

    def script(existing: str, context: str) -> str:
        answer = f"At {_TIME.findall(context)[0]}, says the {_SOURCE.findall(context)[0].lower()}."
        if not existing:
            return answer
        time, source = _TIME.findall(existing)[0], _SOURCE.findall(existing)[0]
        return f"{answer} Earlier, the {source} said {time}."

    return exercises.ScriptedLLM(script, request)


def _chunk(chance: Random, source: str, time: str) -> str:
    aside = chance.choice(_ASIDES)
    return f"{source}: the last ferry to Skarholm leaves the pier at {time}. {aside}"


def _request(chance: Random, seed: int) -> Request:
    """Five sources, two of which agree."""
    one, two, three, four = chance.sample(_TIMES, 4)
    times = chance.sample((one, one, two, three, four), 5)
    sources = chance.sample(_SOURCES, 5)
    chunks = tuple(map(lambda s, t: _chunk(chance, s, t), sources, times))
    return exercises.request_of("refine", _QUESTION, chunks, context_window=256, num_output=32)


def _times(facts: lesson.LessonFacts) -> list[str]:
    """The time that each chunk gives."""
    return [_TIME.findall(chunk)[0] for chunk in facts.request.text_chunks]


def _final(facts: lesson.LessonFacts) -> str:
    """The time that the final answer gives first, which is the one that it believes."""
    return str(_TIME.findall(facts.trace.response or "")[0])


def _claim(facts: lesson.LessonFacts) -> bool:
    other = lesson.facts_of(lesson.with_value(facts.request, CONTROL, "reversed"), scripted)
    changes = sums.answers_change(facts.trace) and sums.answers_change(other.trace)
    return changes and _final(facts) == _times(facts)[-1] != _final(other) == _times(other)[-1]


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    times, final = _times(facts), _final(facts)
    tally = Counter(times)
    saying = ((f"chunks that say {time}", tally[time]) for time in sorted(tally))

    def miss(guess: lesson.Choice) -> str:
        numbers = [number for number, time in enumerate(times, 1) if time == guess]
        return f"after {numbered('chunk', numbers)} came a newer source"

    return lesson.Task(
        text=f"These {facts.chunks} chunks disagree about the last ferry. Which"
        " time does the final answer of refine give?",
        choices=tuple(sorted(tally)),
        answer=final,
        hint="Each call sees the answer so far and one new chunk. This model believes the new"
        " chunk. What is left of the first one after the last call?",
        head=f"{final}.",
        miss=miss,
        sums=(sums.added(saying, "chunks"),),
        remark=f"{_agreement(tally, final, len(times))} Another model may keep what came first."
        " Either way the order decides, and not the number of chunks that agree.",
    )


def _agreement(tally: Counter[str], final: str, last: int) -> str:
    """The number of chunks that agree with the answer, and the one that was sent last."""
    if tally[final] > 1:
        return f"{tally[final]} chunks say so, and one of them, chunk {last}, was sent last."
    return (
        f"Only chunk {last} says so, but it was sent last. {max(tally.values())} chunks agree"
        " on another time."
    )


CONTROL = lesson.Control("order", "Order of the chunks", ("as given", "reversed"))

ORDER = lesson.Lesson(
    key="order",
    title="Contradicting sources",
    aim="why the order of chunks can decide an answer, and not how many of them agree.",
    text="Retrieved chunks may contradict each other. refine sends them one after the other,"
    " each with the answer so far, so no call sees them all and counts how many agree. The"
    " same chunks in another order can give another answer.",
    request=_request,
    claim=_claim,
    task=_task,
    control=CONTROL,
    pictures=("steps", "compare"),
    llm=scripted,
    answers_from="The answers were written for this lesson: each of them believes its own chunk,"
    " and mentions only the source before that.",
)
