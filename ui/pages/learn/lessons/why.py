"""Why there is a budget: the chunks share the window with much else."""

from dataclasses import replace
from random import Random

from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request


def _request(chance: Random, seed: int) -> Request:
    return exercises.request_of(
        "simple_summarize",
        exercises.LIGHTHOUSE.question,
        exercises.sample(chance, exercises.LIGHTHOUSE.chunks, 3),
        context_window=chance.choice((480, 512, 560, 600, 640)),
        num_output=chance.choice((64, 96, 128, 160)),
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    [call] = facts.high.calls
    held = facts.high.budget(call)
    room = sums.room_of(facts.request).for_chunks
    return held.parts["context"] + held.free == room and held.free > 0


def _mistakes(facts: lesson.LessonFacts) -> dict[int, str]:
    """Likely wrong answers, each with its mistake; which ones depends on the input."""
    room, window = sums.room_of(facts.request), facts.request.context_window
    answer = facts.request.num_output
    chunks = sum(chunk.tokens for chunk in facts.high.coverage)
    prompt = room.template + room.query
    mistakes = [
        (window - answer, "that forgets the template and the question"),
        (room.for_chunks - chunks, "that also subtracts the chunks, which this room is for"),
        (window - prompt, "that forgets the answer"),
        (room.for_chunks - answer, "that subtracts the answer twice"),
        (window, "that forgets everything except the chunks"),
    ]
    return exercises.four_of(mistakes, (window + answer) // 8, room.for_chunks)


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    request, mistakes = facts.request, _mistakes(facts)
    room, room_sum = sums.room_of(request).for_chunks, sums.room_sum(request)
    *known, result = room_sum
    return lesson.Task(
        text=f"The window holds {request.context_window:,} tokens, and {request.num_output:,} of"
        " them are room for the answer. How many are left for chunks?",
        choices=tuple(sorted([*mistakes, room])),
        answer=room,
        hint="The chunks themselves are not in this sum: it asks for their room, not for what is"
        " left beside them. The template is the fixed words around the chunks.",
        to_do=((*known, replace(result, amount=None)),),
        head=f"{room:,} tokens.",
        miss=exercises.miss_of(mistakes),
        sums=(room_sum,),
        remark="The prompt and the answer share the window: what one of them takes is not there"
        " for the other.",
    )


WHY = lesson.Lesson(
    key="why",
    title="Why a budget",
    aim="how much chunk text one call has room for, without running anything.",
    text="A language model reads and writes tokens: words, or pieces of words. Its context"
    " window is the largest number of tokens that it can handle in one call, and the prompt and"
    " the answer share it. What is left beside them is the room for chunks, the pieces of text"
    " that the answer is made from.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("num_output", "Answer length (num_output)", tuple(range(16, 257, 8))),
    pictures=("picture",),
)
