"""Stands in no chunk: what a real model makes up, and what a search for it can find."""

from itertools import product
from random import Random

from synth.quality.support import find_unfounded, mentions
from synth.text.wording import listed
from ui.pages.learn.lessons import exercises, lesson, recording, sums
from ui.settings.request import Request

_QUESTIONS = (
    "How much did the outage cost?",
    "Who edited the configuration file?",
    "What happened?",
)

INPUTS = tuple(
    exercises.request_of(
        "compact", query, (chunk,), context_window=400, num_output=recording.NUM_OUTPUT
    )
    for chunk, query in product(exercises.POST_MORTEM.chunks[:8], _QUESTIONS)
)
"""A chunk of the report and a question; most of these chunks don't answer it."""


def _request(chance: Random, seed: int) -> Request:
    return chance.choice(INPUTS)


def _made_up(facts: lesson.LessonFacts) -> list[str]:
    """What stands neither in the chunk nor in the question, each once."""
    return list(dict.fromkeys(one.text for one in find_unfounded(facts.trace)))


def _claim(facts: lesson.LessonFacts) -> bool:
    return facts.trace.call_count == 1 and bool(_made_up(facts))


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    made_up, told = _made_up(facts), len({one.text for one in mentions(facts.trace)})
    count, answer = len(made_up), " ".join((facts.trace.response or "").split())
    quoted = listed([f"“{text}”" for text in made_up])
    found = f"{quoted} {'stands' if count == 1 else 'stand'} nowhere"
    if not made_up:
        found = "none of them is new"
    return lesson.Task(
        text=f"To “{facts.request.query_str}” the model answered: “{answer}” How many of the"
        " numbers, dates and names in this answer stand neither in the chunk nor in the question?",
        choices=exercises.numbers(count, (0, told + 3), facts.characters, told, 0),
        answer=count,
        hint="A name is a capitalized word inside a sentence. What is written twice counts once.",
        to_do=(
            (
                lesson.SumLine("", "numbers, dates and names in the answer", told),
                lesson.SumLine("−", "those in the chunk or in the question", None),
                lesson.SumLine("=", "those that stand nowhere", None),
            ),
        ),
        head=f"{count} of {told}.",
        miss=found,
        sums=(
            sums.difference(
                ("numbers, dates and names in the answer", told),
                ("those in the chunk or in the question", told - count),
                "those that stand nowhere",
            ),
        ),
        remark=_FOUND if made_up else _NOTHING_FOUND,
    )


_FOUND = (
    "What is made up reads like the rest. Below the answer of a run the Playground draws a wavy"
    " line under numbers, dates and names that no chunk and no question has."
)
_NOTHING_FOUND = (
    "That proves nothing: only numbers, dates and names are looked for. One that stands in the"
    " chunk may be used wrongly, and what is said in other words may be made up too."
)


INVENTED = lesson.Lesson(
    key="invented",
    title="Stands in no chunk",
    aim="how to look for what a model made up, and what such a search can't find.",
    text="A prompt may say “from these sources alone”, but nothing makes a model keep to it. Where"
    " a chunk does not answer the question, a model may still answer, with numbers and names that"
    " look real. Whether these stand in what was sent can be looked up without a model.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("query_str", "Question", _QUESTIONS),
    pictures=("prompt", "compare"),
    llm=recording.recorded,
    answers_from=recording.TOLD,
)
