"""Refine, step by step: a chain in which every call except the first waits."""

from random import Random

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


def _request(chance: Random, seed: int) -> Request:
    chunks = exercises.sample(chance, _CHUNKS, 3, 7)
    return exercises.request_of(
        "refine", exercises.LIGHTHOUSE.question, chunks, context_window=320, num_output=48
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    answers = {call.answer for call in facts.trace.calls}
    counts = {facts.calls, facts.trace.call_count, facts.trace.longest_chain}
    return counts == {facts.chunks} == {len(answers)}


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    request, calls, chunks = facts.request, facts.calls, facts.chunks
    waiting = sum(call.depth > 0 for call in facts.high.calls)
    lines: lesson.Sum = (lesson.SumLine("", "calls, one for each chunk", calls),)
    rooms: tuple[lesson.Sum, ...] = ()
    hint = "Every chunk fits into one call. Which calls have an earlier answer in their prompt?"
    if calls > chunks:
        lines = sums.calls_per_chunk(facts)
        rooms = (sums.room_sum(request), sums.room_sum(request, later=True))
        hint = "A chunk that is larger than the room is cut, and each part has its own call."

    def miss(guess: lesson.Choice) -> str:
        if int(guess) > waiting:
            return f"there are {calls} calls, and the first one waits for none"
        return f"each of calls 2 to {calls} sends the answer before it"

    unknown = lesson.SumLine("−", "calls without an earlier answer in their prompt", None)
    first = lesson.SumLine("−", "the first call, which does not wait", 1)
    return lesson.Task(
        text=f"refine reads these {chunks} chunks. How many of its calls must wait for the answer"
        " to an earlier call?",
        choices=exercises.numbers(waiting, (0, calls + 2), len(request.text_chunks[0]), chunks, 0),
        answer=waiting,
        hint=hint,
        to_do=(*rooms, (*lines, unknown, lesson.SumLine("=", "calls that wait", None))),
        head=f"{counted(waiting, 'call')}.",
        miss=miss,
        sums=(*rooms, (*lines, first, lesson.SumLine("=", "calls that wait", waiting))),
        remark="The calls of refine are a chain: each one is sent only when the one before it is"
        " answered, so every chunk adds to the waiting time.",
    )


REFINE = lesson.Lesson(
    key="refine",
    title="Refine, step by step",
    aim="which calls of refine wait for which, and what one more chunk costs.",
    text="refine asks the question with the first chunk alone. Then it sends that answer with"
    " the next chunk and asks for a better answer, and so on until all chunks are sent.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("context_window", "Context window", tuple(range(184, 401, 8))),
    pictures=("steps", "picture"),
    llm=scripted,
    answers_from="The answers were written for this lesson: each of them shortens the answer so"
    " far and adds what is new in its chunk.",
)
