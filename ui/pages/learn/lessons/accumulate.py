"""Accumulate: the same question for every chunk, and a list of answers."""

from collections.abc import Iterator

from synth.text.wording import counted
from ui.pages.learn.lessons.exercises import (
    LIGHTHOUSE,
    attempts,
    first_that_shows,
    numbers,
    offline,
    request_of,
    sample,
)
from ui.pages.learn.lessons.lesson import (
    Choice,
    Control,
    Lesson,
    LessonFacts,
    LessonQuestion,
    Preset,
    Reveal,
    Sum,
    SumLine,
)
from ui.pages.learn.lessons.sums import calls_per_chunk, chunk_tokens, room_of, room_sum


def _candidates(seed: int) -> Iterator[Preset]:
    """Chunks of which some are two paragraphs long."""
    for chance in attempts(seed):
        paragraphs = list(sample(chance, LIGHTHOUSE.chunks, chance.randint(5, 8)))
        for index in sorted(chance.sample(range(3), chance.randint(1, 2))):
            paragraphs[index : index + 2] = [" ".join(paragraphs[index : index + 2])]
        limits = {"context_window": chance.randrange(160, 201, 8), "num_output": 48}
        request = request_of("accumulate", LIGHTHOUSE.question, tuple(paragraphs), **limits)
        yield Preset(request, offline)


def _question(facts: LessonFacts) -> LessonQuestion:
    chunks, calls = len(facts.request.text_chunks), facts.high.call_count
    largest = max(chunk.tokens for chunk in facts.high.coverage)
    return LessonQuestion(
        text=f"accumulate reads these {chunks} chunks. How many answers are in its list?",
        choices=numbers(calls, (1, calls + chunks), largest, 1, chunks),
        answer=calls,
        hint="Look for chunks that are larger than the room in one call: these are cut.",
        asks="calls",
        to_do=(room_sum(facts.request), _larger_chunks(facts)),
    )


def _larger_chunks(facts: LessonFacts) -> Sum:
    """The chunks that are larger than the room in one call, and the answers to find."""
    room = room_of(facts.request).for_chunks
    larger = tuple(
        SumLine("", f"tokens of chunk {number}", tokens)
        for number, tokens in enumerate(chunk_tokens(facts), 1)
        if tokens > room
    )
    chunks = SumLine("", "chunks", len(facts.request.text_chunks))
    return chunks, *larger, SumLine("=", "answers in the list", None)


def _reveal(facts: LessonFacts) -> Reveal:
    chunks, calls = len(facts.request.text_chunks), facts.high.call_count

    def miss(guess: Choice) -> str:
        if int(guess) < chunks:
            return f"You said {guess}: there are {chunks} chunks, and each has a call of its own."
        if int(guess) > calls:
            return f"You said {guess}: there are only {counted(calls, 'part')} to ask about."
        return f"You said {guess}: a chunk that is cut gets one answer for each of its parts."

    parts = (*calls_per_chunk(facts), SumLine("=", "calls, and as many answers", calls))
    return Reveal(
        head=f"{counted(calls, 'answer')}.",
        miss=miss,
        sums=(room_sum(facts.request), parts),
        remark="No call waits for another, so all can be sent at once. The answers are only"
        " listed, not merged: they may repeat each other, and a chunk without useful text gets"
        " an answer too.",
    )


def _claim(facts: LessonFacts) -> bool:
    cut = facts.high.call_count > len(facts.request.text_chunks)
    listed = (facts.trace.response or "").count("Response ") == facts.high.call_count
    return cut and listed and facts.trace.longest_chain == 1


ACCUMULATE = Lesson(
    key="accumulate",
    title="Accumulate",
    aim="how many answers accumulate lists, and when these are more than the chunks.",
    text="accumulate asks the same question about every chunk, each in a call of its own, and"
    " returns all answers as a numbered list. It suits questions to which each source may have"
    " its own answer. A chunk that is too large for one call is cut into parts, and each part"
    " gets its own call.",
    preset=first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=Control("context_window", "Context window", tuple(range(128, 257, 8))),
    pictures=("flow", "budget"),
    claim=_claim,
)
