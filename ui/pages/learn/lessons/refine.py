"""Refine, step by step: a chain in which every call except the first waits."""

from synth.llms import LLM
from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request

_TOLD = (
    ("1868", "a dim oil lamp", ", to be trimmed every four hours"),
    ("Ana Lindqvist", "a log of the weather", ", which the first keeper kept for 31 years"),
    ("1904", "a kerosene burner", ", seen from twice as far"),
    ("Fog", "a fog horn", " in place of a bell on a rope"),
    ("the war", "five dark years", " with the lens buried under the boathouse"),
    ("Electricity", "a bright bulb", ", which gave the keeper time to count birds"),
    ("bird counts", "a bird station", " where volunteers ring thrushes"),
    ("automatic", "a hostel", " in the house of the last keeper"),
    ("solar", "solar power", " and a technician twice a year"),
)
"""A word of a chunk, what each later answer says of it, and what only the next answer adds."""

_SCRIPTED = (
    "The answers were written for this lesson: each of them shortens the answer so far and adds"
    " what is new in its chunk."
)
_CHUNKS = tuple(
    chunk for chunk in exercises.LIGHTHOUSE.chunks if any(word in chunk for word, _, _ in _TOLD)
)


def scripted(request: Request) -> LLM:
    """A model that shortens the answer so far and adds what is new in the chunk."""

    def script(existing: str, context: str) -> str:
        known = [short for _, short, _ in _TOLD if short in existing]
        new = [one for one in _TOLD if one[0] in context and one[1] not in existing]
        if existing and not new:
            return existing
        told = ", then ".join([*known, *(short for _, short, _ in new)])
        return f"First came {told}{''.join(more for _, _, more in new[-1:])}."

    return exercises.ScriptedLLM(script, request)


def _preset(seed: int) -> lesson.Preset:
    chance = next(exercises.attempts(seed))
    chunks = exercises.sample(chance, _CHUNKS, chance.randint(3, 7))
    limits = {"context_window": 320, "num_output": 48}
    request = exercises.request_of("refine", exercises.LIGHTHOUSE.question, chunks, **limits)
    return lesson.Preset(request, scripted, _SCRIPTED)


def _waiting(facts: lesson.LessonFacts) -> int:
    return sum(call.depth > 0 for call in facts.high.calls)


def _calls(facts: lesson.LessonFacts) -> tuple[lesson.SumLine, ...]:
    """The calls: one for each chunk, or where chunks are cut, those of each chunk."""
    calls, chunks = facts.high.call_count, len(facts.request.text_chunks)
    if calls > chunks:
        return sums.calls_per_chunk(facts)
    return (lesson.SumLine("", "calls, one for each chunk", calls),)


def _room(facts: lesson.LessonFacts) -> tuple[lesson.Sum, ...]:
    """The room for a chunk in the first call and in the others, if chunks are cut because of it."""
    if len(_calls(facts)) == 1:
        return ()
    return sums.room_sum(facts.request), sums.room_sum(facts.request, later=True)


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    chunks, waiting = len(facts.request.text_chunks), _waiting(facts)
    first = lesson.SumLine("−", "calls without an earlier answer in their prompt", None)
    return lesson.LessonQuestion(
        text=f"refine reads these {chunks} chunks. How many of its calls must wait for the answer"
        " to an earlier call?",
        choices=exercises.numbers(
            waiting, (0, len(facts.high.calls) + 2), len(facts.request.text_chunks[0]), chunks, 0
        ),
        answer=waiting,
        hint="Every chunk fits into one call. Which calls have an earlier answer in their prompt?"
        if len(facts.high.calls) == chunks
        else "A chunk that is larger than the room is cut, and each part has its own call.",
        to_do=(
            *_room(facts),
            (*_calls(facts), first, lesson.SumLine("=", "calls that wait", None)),
        ),
    )


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    calls, waiting = facts.high.call_count, _waiting(facts)

    def miss(guess: lesson.Choice) -> str:
        if int(guess) > waiting:
            return f"You said {guess}: there are {calls} calls, and the first one waits for none."
        return f"You said {guess}: each of calls 2 to {calls} sends the answer before it."

    first = lesson.SumLine("−", "the first call, which does not wait", 1)
    chain = (*_calls(facts), first, lesson.SumLine("=", "calls that wait", waiting))
    return lesson.Reveal(
        head=f"{counted(waiting, 'call')}.",
        miss=miss,
        sums=(*_room(facts), chain),
        remark="The calls of refine are a chain: each one is sent only when the one before it is"
        " answered, so every chunk adds to the waiting time.",
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    answers = {call.answer for call in facts.trace.calls}
    counts = {facts.high.call_count, facts.trace.call_count, facts.trace.longest_chain}
    return counts == {len(facts.request.text_chunks)} == {len(answers)}


REFINE = lesson.Lesson(
    key="refine",
    title="Refine, step by step",
    aim="which calls of refine wait for which, and what one more chunk costs.",
    text="refine asks the question with the first chunk alone. Then it sends that answer with"
    " the next chunk and asks for a better answer, and so on until all chunks are sent.",
    preset=_preset,
    question=_question,
    reveal=_reveal,
    control=lesson.Control("context_window", "Context window", tuple(range(184, 401, 8))),
    pictures=("steps", "picture"),
    claim=_claim,
)
