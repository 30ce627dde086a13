"""The lost last chunk: simple_summarize cuts off what does not fit."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums


def _candidates(seed: int) -> Iterator[lesson.Preset]:
    for chance in exercises.attempts(seed):
        chunks = (
            *exercises.sample(chance, exercises.BRIDGE.chunks[:-1], chance.randint(4, 7)),
            exercises.BRIDGE.chunks[-1],
        )
        limits = {"context_window": chance.randrange(200, 401, 10), "num_output": 64}
        yield lesson.Preset(
            exercises.request_of("simple_summarize", exercises.BRIDGE.question, chunks, **limits),
            exercises.offline,
        )


class _Sent(NamedTuple):
    """Tokens of each chunk with the line break before it, and how many chunks are sent whole."""

    tokens: list[int]
    whole: int


def _sent(facts: lesson.LessonFacts) -> _Sent:
    text, count = sums.context(facts.high.calls[0]), facts.high.setup.tokenizer.count
    ends = [segment.at + segment.origin.end for segment in text.document.segments]
    reached = [0, *(count(text.document.text[:end]) for end in ends)]
    tokens = [after - before for before, after in pairwise(reached)]
    return _Sent(tokens, sum(not chunk.lost for chunk in facts.high.coverage))


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    chunks, sent = len(facts.request.text_chunks), _sent(facts)
    return lesson.LessonQuestion(
        text=f"How many of these {chunks} chunks are sent to the model in full?",
        choices=exercises.numbers(
            sent.whole, (0, chunks), facts.request.context_window // 10, chunks
        ),
        answer=sent.whole,
        hint="Add up the chunks in their order until the next one would not fit any more.",
        to_do=(sums.room_sum(facts.request), *_chunks_to_do(sent)),
    )


def _chunks_to_do(sent: _Sent) -> tuple[lesson.Sum, ...]:
    """The tokens of each chunk, and the chunks that fit to find."""
    sizes = ((f"chunk {number}", tokens) for number, tokens in enumerate(sent.tokens, 1))
    together = sums.added(sizes, "all chunks, with the line breaks between them")
    return together, (lesson.SumLine("=", "chunks that are sent in full", None),)


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    sent, room = _sent(facts), sums.room_of(facts.request).for_chunks
    tokens, whole = sent

    def miss(guess: lesson.Choice) -> str:
        number = int(guess)
        if number < whole:
            return f"You said {number}: chunk {number + 1} fits too."
        cut = facts.high.coverage[whole]
        lost = f"{cut.lost_tokens:,} of its {counted(cut.tokens, 'token')}"
        return f"You said {number}: chunk {cut.number} loses {lost}."

    lines = [
        lesson.SumLine("−", f"chunk {number}", size)
        for number, size in enumerate(tokens[:whole], 1)
    ]
    left = room - sum(tokens[:whole])
    end = "still free" if whole == len(tokens) else f"left for chunk {whole + 1}"
    room_line = lesson.SumLine("", "room for chunks in the only call", room)
    return lesson.Reveal(
        head=f"{counted(whole, 'chunk')} of {len(tokens)}.",
        miss=miss,
        sums=(sums.room_sum(facts.request), (room_line, *lines, lesson.SumLine("=", end, left))),
        remark=_remark(facts),
    )


def _remark(facts: lesson.LessonFacts) -> str:
    lost = facts.high.lost_tokens
    if not lost:
        return "Nothing is cut off here: simple_summarize is fine as long as everything fits."
    return (
        f"simple_summarize cut off {counted(lost, 'token')}, and the answer does not say so. Here"
        " the last chunk is the one that answers the question."
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    last = facts.trace.coverage[-1]
    unsent = not any(part.calls for part in last.stretches)
    return unsent and _sent(facts).whole > 0 and "recommends" not in (facts.trace.response or "")


LOST = lesson.Lesson(
    key="lost",
    title="The lost last chunk",
    aim="which chunks simple_summarize cuts off, and where to see it.",
    text="simple_summarize puts all chunks one after the other into a single call. That is quick"
    " and cheap. What does not fit is cut off at the end, and the model answers as if it had read"
    " everything.",
    preset=exercises.first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=lesson.Control("context_window", "Context window", tuple(range(200, 601, 10))),
    pictures=("coverage", "picture"),
    claim=_claim,
)
