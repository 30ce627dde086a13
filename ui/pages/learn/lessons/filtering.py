"""Structured filtering: the model itself says whether a chunk answers the question."""

from random import Random

from synth.text.wording import numbered
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request

_BEES, _OTHERS = exercises.chunks_of("bees"), exercises.chunks_of("mail")


def _request(chance: Random, seed: int) -> Request:
    """Chunks about bees, and some about something else, as a poor retriever finds them."""
    chunks = [*exercises.sample(chance, _BEES, 2, 4), *exercises.sample(chance, _OTHERS, 1, 4)]
    chance.shuffle(chunks)
    return exercises.request_of(
        "refine",
        "How do honeybees survive the winter?",
        tuple(chunks),
        context_window=512,
        num_output=96,
        structured_answer_filtering=True,
    )


def _dropped(facts: lesson.LessonFacts) -> list[int]:
    """The chunks whose replies were dropped."""
    calls = [call for call in facts.trace.calls if not call.satisfied]
    return [sums.context(call).origins[0].number for call in calls]


def _claim(facts: lesson.LessonFacts) -> bool:
    useless = [n for n, chunk in enumerate(facts.request.text_chunks, 1) if chunk in _OTHERS]
    everything = facts.trace.call_count == facts.chunks
    return everything and _dropped(facts) == useless and bool(useless)


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    chunks, unsatisfied = facts.chunks, _dropped(facts)
    dropped = len(unsatisfied)
    if facts.request.structured_answer_filtering:
        why = "because the model says that the chunk does not answer the question"
        hint = "The question is about bees in winter. Read how each chunk begins."
        remark = (
            "Filtering keeps chunks that were retrieved by mistake out of the answer. It saves no"
            " call: the model must read a chunk before it can say that the chunk does not help."
        )
    else:
        why = "when filtering is off"
        hint = "Without filtering, does anything tell a useful reply from a useless one?"
        remark = (
            "Without filtering the model is not asked whether a chunk helps: every reply replaces"
            " the answer so far, and a useless chunk may spoil a good answer."
        )
    miss = f"the replies to {numbered('chunk', unsatisfied)} were dropped"
    if dropped == 1:
        miss = f"only the reply to chunk {unsatisfied[0]} was dropped"
    elif not dropped:
        miss = "no reply was dropped"
    return lesson.Task(
        text=f"refine asks about each of these {chunks} chunks. How many replies are dropped"
        f" {why}?",
        choices=exercises.numbers(dropped, (0, chunks), facts.characters, chunks),
        answer=dropped,
        hint=hint,
        head=f"{dropped} dropped.",
        miss=miss,
        sums=(
            sums.difference(
                ("calls, one for each chunk", facts.trace.call_count),
                ("replies dropped as not satisfied", dropped),
                "replies that could change the answer",
            ),
        ),
        remark=remark,
    )


FILTERING = lesson.Lesson(
    key="filtering",
    title="Structured filtering",
    aim="what filtering keeps out of an answer, and which cost it does not save.",
    text="Retrieval also finds chunks that have nothing to do with the question. With"
    " structured_answer_filtering the model must reply in a fixed form: its answer, and whether"
    " the chunk satisfied the question. If the chunk did not, the reply is dropped and the"
    " answer so far stays.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control(
        "structured_answer_filtering", "Structured answer filtering", (True, False)
    ),
    pictures=("steps",),
)
