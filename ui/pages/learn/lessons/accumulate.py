"""Accumulate: the same question for every chunk, and a list of answers."""

from collections.abc import Iterator

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums


def _candidates(seed: int) -> Iterator[lesson.Preset]:
    """Chunks of which some are two paragraphs long."""
    for chance in exercises.attempts(seed):
        paragraphs = list(
            exercises.sample(chance, exercises.LIGHTHOUSE.chunks, chance.randint(5, 8))
        )
        for index in sorted(chance.sample(range(3), chance.randint(1, 2))):
            paragraphs[index : index + 2] = [" ".join(paragraphs[index : index + 2])]
        limits = {"context_window": chance.randrange(160, 201, 8), "num_output": 48}
        request = exercises.request_of(
            "accumulate", exercises.LIGHTHOUSE.question, tuple(paragraphs), **limits
        )
        yield lesson.Preset(request, exercises.offline)


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    chunks, calls = len(facts.request.text_chunks), facts.high.call_count
    largest = max(chunk.tokens for chunk in facts.high.coverage)
    return lesson.LessonQuestion(
        text=f"accumulate reads these {chunks} chunks. How many answers are in its list?",
        choices=exercises.numbers(calls, (1, calls + chunks), largest, 1, chunks),
        answer=calls,
        hint="Look for chunks that are larger than the room in one call: these are cut.",
        asks="calls",
        to_do=(sums.room_sum(facts.request), _larger_chunks(facts)),
    )


def _larger_chunks(facts: lesson.LessonFacts) -> lesson.Sum:
    """The chunks that are larger than the room in one call, and the answers to find."""
    room = sums.room_of(facts.request).for_chunks
    larger = tuple(
        lesson.SumLine("", f"tokens of chunk {number}", tokens)
        for number, tokens in enumerate(sums.chunk_tokens(facts), 1)
        if tokens > room
    )
    chunks = lesson.SumLine("", "chunks", len(facts.request.text_chunks))
    return chunks, *larger, lesson.SumLine("=", "answers in the list", None)


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    chunks, calls = len(facts.request.text_chunks), facts.high.call_count

    def miss(guess: lesson.Choice) -> str:
        if int(guess) < chunks:
            return f"You said {guess}: there are {chunks} chunks, and each has a call of its own."
        if int(guess) > calls:
            return f"You said {guess}: there are only {counted(calls, 'part')} to ask about."
        return f"You said {guess}: a chunk that is cut gets one answer for each of its parts."

    parts = (*sums.calls_per_chunk(facts), lesson.SumLine("=", "calls, and as many answers", calls))
    return lesson.Reveal(
        head=f"{counted(calls, 'answer')}.",
        miss=miss,
        sums=(sums.room_sum(facts.request), parts),
        remark="No call waits for another, so all can be sent at once. The answers are only"
        " listed, not merged: they may repeat each other, and a chunk without useful text gets"
        " an answer too.",
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    cut = facts.high.call_count > len(facts.request.text_chunks)
    listed = (facts.trace.response or "").count("Response ") == facts.high.call_count
    return cut and listed and facts.trace.longest_chain == 1


ACCUMULATE = lesson.Lesson(
    key="accumulate",
    title="Accumulate",
    aim="how many answers accumulate lists, and when these are more than the chunks.",
    text="accumulate asks the same question about every chunk, each in a call of its own, and"
    " returns all answers as a numbered list. It suits questions to which each source may have"
    " its own answer. A chunk that is too large for one call is cut into parts, and each part"
    " gets its own call.",
    preset=exercises.first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=lesson.Control("context_window", "Context window", tuple(range(128, 257, 8))),
    pictures=("picture",),
    claim=_claim,
)
