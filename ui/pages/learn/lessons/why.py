"""Why there is a budget: the chunks share the window with much else."""

from dataclasses import replace

from ui.pages.learn.lessons.exercises import LIGHTHOUSE, attempts, offline, request_of, sample
from ui.pages.learn.lessons.lesson import (
    Choice,
    Control,
    Lesson,
    LessonFacts,
    LessonQuestion,
    Preset,
    Reveal,
)
from ui.pages.learn.lessons.sums import room_of, room_sum


def _preset(seed: int) -> Preset:
    chance = next(attempts(seed))
    request = request_of(
        "simple_summarize",
        LIGHTHOUSE.question,
        sample(chance, LIGHTHOUSE.chunks, 3),
        context_window=chance.choice((480, 512, 560, 600, 640)),
        num_output=chance.choice((64, 96, 128, 160)),
    )
    return Preset(request, offline)


def _mistakes(facts: LessonFacts) -> dict[int, str]:
    """Likely wrong answers, each with its mistake; which ones depends on the input."""
    room, window, answer = (
        room_of(facts.request),
        facts.request.context_window,
        facts.request.num_output,
    )
    chunks = sum(chunk.tokens for chunk in facts.high.coverage)
    prompt = room.template + room.query
    mistakes = [
        (window - answer - prompt, "that forgets the safety margin"),
        (window - answer, "that forgets the template, the question and the safety margin"),
        (room.for_chunks - chunks, "that also subtracts the chunks, which this room is for"),
        (window - prompt, "that forgets the answer and the safety margin"),
        (room.for_chunks - answer, "that subtracts the answer twice"),
        (window, "that forgets everything except the chunks"),
    ]
    turn = (window + answer) // 8 % len(mistakes)
    possible = {
        value: how
        for value, how in mistakes[turn:] + mistakes[:turn]
        if 0 < value != room.for_chunks
    }
    return dict(list(possible.items())[:4])


def _question(facts: LessonFacts) -> LessonQuestion:
    request, answer = facts.request, room_of(facts.request).for_chunks
    *known, result = room_sum(request)
    return LessonQuestion(
        text=f"The window holds {request.context_window:,} tokens, and {request.num_output:,} of"
        " them are room for the answer. How many are left for chunks?",
        choices=tuple(sorted([*_mistakes(facts), answer])),
        answer=answer,
        hint="The chunks themselves are not in this sum: it asks for their room, not for what is"
        " left beside them. The template is the fixed words around the chunks.",
        to_do=((*known, replace(result, amount=None)),),
    )


def _reveal(facts: LessonFacts) -> Reveal:
    room, mistakes = room_of(facts.request), _mistakes(facts)

    def miss(guess: Choice) -> str:
        return f"You said {int(guess):,}: {mistakes[int(guess)]}."

    return Reveal(
        head=f"{room.for_chunks:,} tokens.",
        miss=miss,
        sums=(room_sum(facts.request),),
        remark="The prompt and the answer share the window: what one of them takes is not there"
        " for the other.",
    )


def _claim(facts: LessonFacts) -> bool:
    [call] = facts.high.calls
    held = facts.high.budget(call)
    room = room_of(facts.request).for_chunks
    return held.parts["context"] + held.free == room and held.free > 0


WHY = Lesson(
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
    control=Control("num_output", "Answer length (num_output)", tuple(range(16, 257, 8))),
    pictures=("budget",),
    claim=_claim,
)
