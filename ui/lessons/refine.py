"""Refine, step by step: a chain in which every call except the first waits."""

from __future__ import annotations

from synth.wording import counted
from ui.lessons.exercises import LIGHTHOUSE, attempts, numbers, offline, request_of, sample
from ui.lessons.lesson import (
    Choice,
    Control,
    Lesson,
    LessonFacts,
    LessonQuestion,
    Preset,
    Reveal,
    SumLine,
)
from ui.lessons.sums import calls_per_chunk, room_sum


def _preset(seed: int) -> Preset:
    chance = next(attempts(seed))
    chunks = sample(chance, LIGHTHOUSE.chunks, chance.randint(3, 7))
    limits = {"window": 320, "num_output": 48, "padding": 48}
    return Preset(request_of("refine", LIGHTHOUSE.question, chunks, **limits), offline)


def _waiting(facts: LessonFacts) -> int:
    return sum(call.depth > 0 for call in facts.high.calls)


def _question(facts: LessonFacts) -> LessonQuestion:
    chunks, waiting = len(facts.request.chunks), _waiting(facts)
    return LessonQuestion(
        text=f"refine reads these {chunks} chunks. How many of its calls must wait for the answer"
        " to an earlier call?",
        choices=numbers(
            waiting, (0, len(facts.high.calls) + 2), len(facts.request.chunks[0]), chunks, 0
        ),
        answer=waiting,
        hint="Every chunk fits into one call. Which calls have an earlier answer in their prompt?"
        if len(facts.high.calls) == chunks
        else "A chunk that is larger than the room is cut, and each part has its own call.",
    )


def _reveal(facts: LessonFacts) -> Reveal:
    calls, waiting = facts.high.call_count, _waiting(facts)

    def miss(guess: Choice) -> str:
        if int(guess) > waiting:
            return f"You said {guess}: there are {calls} calls, and the first one waits for none."
        return f"You said {guess}: each of calls 2 to {calls} sends the answer before it."

    first = SumLine("−", "the first call, which does not wait", 1)
    chain = (*calls_per_chunk(facts), first, SumLine("=", "calls that wait", waiting))
    return Reveal(
        head=f"{counted(waiting, 'call')}.",
        miss=miss,
        sums=(room_sum(facts.request), chain),
        remark="The calls of refine are a chain: each one is sent only when the one before it is"
        " answered, so every chunk adds to the waiting time.",
    )


def _claim(facts: LessonFacts) -> bool:
    chunks = len(facts.request.chunks)
    return facts.high.call_count == facts.trace.call_count == facts.trace.longest_chain == chunks


REFINE = Lesson(
    key="refine",
    title="Refine, step by step",
    text="refine asks the question with the first chunk alone. Then it sends that answer with"
    " the next chunk and asks for a better answer, and so on until all chunks are read.",
    preset=_preset,
    question=_question,
    reveal=_reveal,
    control=Control("window", "Context window", tuple(range(224, 401, 8))),
    pictures=("steps", "budget"),
    claim=_claim,
)
