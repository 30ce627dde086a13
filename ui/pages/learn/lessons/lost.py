"""The lost last chunk: simple_summarize cuts off what does not fit."""

from itertools import pairwise
from random import Random
from typing import NamedTuple

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request


def _request(chance: Random, seed: int) -> Request:
    *others, last = exercises.BRIDGE.chunks
    chunks = (*exercises.sample(chance, tuple(others), 4, 7), last)
    window = chance.randrange(200, 401, 10)
    return exercises.request_of(
        "simple_summarize", exercises.BRIDGE.question, chunks, context_window=window, num_output=64
    )


class _Sent(NamedTuple):
    """Tokens of each chunk with the line break before it, and how many chunks are sent whole."""

    tokens: list[int]
    whole: int


def _sent(facts: lesson.LessonFacts) -> _Sent:
    document = sums.context(facts.high.calls[0]).document
    ends = [segment.at + segment.origin.end for segment in document.segments]
    reached = [0, *(facts.tokens(document.text[:end]) for end in ends)]
    tokens = [after - before for before, after in pairwise(reached)]
    return _Sent(tokens, sum(not chunk.lost for chunk in facts.high.coverage))


def _claim(facts: lesson.LessonFacts) -> bool:
    last = facts.trace.coverage[-1]
    unsent = not any(part.calls for part in last.stretches)
    return unsent and _sent(facts).whole > 0 and "recommends" not in (facts.trace.response or "")


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    request, chunks = facts.request, facts.chunks
    tokens, whole = _sent(facts)
    sizes = [(f"chunk {number}", size) for number, size in enumerate(tokens, 1)]
    room = sums.room_of(request).for_chunks
    end = "still free" if whole == chunks else f"left for chunk {whole + 1}"
    fill = (
        lesson.SumLine("", "room for chunks in the only call", room),
        *(lesson.SumLine("−", name, size) for name, size in sizes[:whole]),
        lesson.SumLine("=", end, room - sum(tokens[:whole])),
    )

    def miss(guess: lesson.Choice) -> str:
        if int(guess) < whole:
            return f"chunk {int(guess) + 1} fits too"
        cut = facts.high.coverage[whole]
        lost = f"{cut.lost_tokens:,} of its {counted(cut.tokens, 'token')}"
        return f"chunk {cut.number} loses {lost}"

    return lesson.Task(
        text=f"How many of these {chunks} chunks are sent to the model in full?",
        choices=exercises.numbers(whole, (0, chunks), request.context_window // 10, chunks),
        answer=whole,
        hint="Add up the chunks in their order until the next one would not fit any more.",
        to_do=(
            sums.room_sum(request),
            sums.added(sizes, "all chunks, with the line breaks between them"),
            (lesson.SumLine("=", "chunks that are sent in full", None),),
        ),
        head=f"{counted(whole, 'chunk')} of {chunks}.",
        miss=miss,
        sums=(sums.room_sum(request), fill),
        remark=_remark(facts.high.lost_tokens),
    )


def _remark(lost: int) -> str:
    if not lost:
        return "Nothing is cut off here: simple_summarize is fine as long as everything fits."
    return (
        f"simple_summarize cut off {counted(lost, 'token')}, and the answer does not say so. Here"
        " the last chunk is the one that answers the question."
    )


LOST = lesson.Lesson(
    key="lost",
    title="The lost last chunk",
    aim="which chunks simple_summarize cuts off, and where to see it.",
    text="simple_summarize puts all chunks one after the other into a single call. That is quick"
    " and cheap. What does not fit is cut off at the end, and the model answers as if it had read"
    " everything.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("context_window", "Context window", tuple(range(200, 601, 10))),
    pictures=("coverage", "picture"),
)
