"""Why there is a budget: the chunks share the window with much else."""

from dataclasses import replace

from ui.pages.learn.lessons import exercises, lesson, sums


def _preset(seed: int) -> lesson.Preset:
    chance = next(exercises.attempts(seed))
    request = exercises.request_of(
        "simple_summarize",
        exercises.LIGHTHOUSE.question,
        exercises.sample(chance, exercises.LIGHTHOUSE.chunks, 3),
        context_window=chance.choice((480, 512, 560, 600, 640)),
        num_output=chance.choice((64, 96, 128, 160)),
    )
    return lesson.Preset(request, exercises.offline)


def _mistakes(facts: lesson.LessonFacts) -> dict[int, str]:
    """Likely wrong answers, each with its mistake; which ones depends on the input."""
    room, window, answer = (
        sums.room_of(facts.request),
        facts.request.context_window,
        facts.request.num_output,
    )
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


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    request, answer = facts.request, sums.room_of(facts.request).for_chunks
    *known, result = sums.room_sum(request)
    return lesson.LessonQuestion(
        text=f"The window holds {request.context_window:,} tokens, and {request.num_output:,} of"
        " them are room for the answer. How many are left for chunks?",
        choices=tuple(sorted([*_mistakes(facts), answer])),
        answer=answer,
        hint="The chunks themselves are not in this sum: it asks for their room, not for what is"
        " left beside them. The template is the fixed words around the chunks.",
        to_do=((*known, replace(result, amount=None)),),
    )


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    room = sums.room_of(facts.request)
    return lesson.Reveal(
        head=f"{room.for_chunks:,} tokens.",
        miss=exercises.miss_of(_mistakes(facts)),
        sums=(sums.room_sum(facts.request),),
        remark="The prompt and the answer share the window: what one of them takes is not there"
        " for the other.",
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    [call] = facts.high.calls
    held = facts.high.budget(call)
    room = sums.room_of(facts.request).for_chunks
    return held.parts["context"] + held.free == room and held.free > 0


WHY = lesson.Lesson(
    key="why",
    title="Why a budget",
    aim="how much chunk text one call has room for, without running anything.",
    text="A language model reads and writes tokens: words, or pieces of words. Its context"
    " window is the largest number of tokens that it can handle in one call, and the prompt and"
    " the answer share it. What is left beside them is the room for chunks, the pieces of text"
    " that the answer is made from.",
    preset=_preset,
    question=_question,
    reveal=_reveal,
    control=lesson.Control("num_output", "Answer length (num_output)", tuple(range(16, 257, 8))),
    pictures=("picture",),
    claim=_claim,
)
