"""Accumulate: the same question for every chunk, and a list of answers."""

from random import Random

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request


def _request(chance: Random, seed: int) -> Request:
    """Chunks of which some are two paragraphs long."""
    paragraphs = list(exercises.sample(chance, exercises.LIGHTHOUSE.chunks, 5, 8))
    for index in sorted(chance.sample(range(3), chance.randint(1, 2))):
        paragraphs[index : index + 2] = [" ".join(paragraphs[index : index + 2])]
    return exercises.request_of(
        "accumulate",
        exercises.LIGHTHOUSE.question,
        tuple(paragraphs),
        context_window=chance.randrange(160, 201, 8),
        num_output=48,
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    listed = (facts.trace.response or "").count("Response ") == facts.calls
    return facts.calls > facts.chunks and listed and facts.trace.longest_chain == 1


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    request, calls, chunks = facts.request, facts.calls, facts.chunks
    tokens, room = sums.chunk_tokens(facts), sums.room_of(request).for_chunks
    larger = (
        lesson.SumLine("", f"tokens of chunk {number}", size)
        for number, size in enumerate(tokens, 1)
        if size > room
    )
    answers = lesson.SumLine("=", "answers in the list", None)
    parts = (*sums.calls_per_chunk(facts), lesson.SumLine("=", "calls, and as many answers", calls))

    def miss(guess: lesson.Choice) -> str:
        if int(guess) < chunks:
            return f"there are {chunks} chunks, and each has a call of its own"
        if int(guess) > calls:
            return f"there are only {counted(calls, 'part')} to ask about"
        return "a chunk that is cut gets one answer for each of its parts"

    return lesson.Task(
        text=f"accumulate reads these {chunks} chunks. How many answers are in its list?",
        choices=exercises.numbers(calls, (1, calls + chunks), max(tokens), 1, chunks),
        answer=calls,
        asks="calls",
        hint="Look for chunks that are larger than the room in one call: these are cut.",
        to_do=(sums.room_sum(request), (lesson.SumLine("", "chunks", chunks), *larger, answers)),
        head=f"{counted(calls, 'answer')}.",
        miss=miss,
        sums=(sums.room_sum(request), parts),
        remark="No call waits for another, so all can be sent at once. The answers are only"
        " listed, not merged: they may repeat each other, and a chunk without useful text gets"
        " an answer too.",
    )


ACCUMULATE = lesson.Lesson(
    key="accumulate",
    title="Accumulate",
    aim="how many answers accumulate lists, and when these are more than the chunks.",
    text="accumulate asks the same question about every chunk, each in a call of its own, and"
    " returns all answers as a numbered list. It suits questions to which each source may have"
    " its own answer. A chunk that is too large for one call is cut into parts, and each part"
    " gets its own call.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("context_window", "Context window", tuple(range(128, 257, 8))),
    pictures=("picture",),
)
