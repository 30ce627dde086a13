"""Structured filtering: the model itself says whether a chunk answers the question."""

from synth.text.wording import numbered
from ui.pages.learn.lessons import exercises, lesson, sums

_BEES, _OTHERS = exercises.chunks_of("bees"), exercises.chunks_of("mail")


def _preset(seed: int) -> lesson.Preset:
    """Chunks about bees, and some about something else, as a poor retriever finds them."""
    chance = next(exercises.attempts(seed))
    chunks = [
        *exercises.sample(chance, _BEES, chance.randint(2, 4)),
        *exercises.sample(chance, _OTHERS, chance.randint(1, 4)),
    ]
    chance.shuffle(chunks)
    limits = {
        "context_window": 512,
        "num_output": 96,
        "structured_answer_filtering": True,
    }
    question = "How do honeybees survive the winter?"
    return lesson.Preset(
        exercises.request_of("refine", question, tuple(chunks), **limits), exercises.offline
    )


def _dropped(facts: lesson.LessonFacts) -> list[int]:
    """The chunks whose replies were dropped."""
    return [
        sums.context(call).origins[0].number for call in facts.trace.calls if not call.satisfied
    ]


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    chunks, dropped = len(facts.request.text_chunks), len(_dropped(facts))
    if facts.request.structured_answer_filtering:
        text = (
            f"refine asks about each of these {chunks} chunks. How many replies are dropped"
            " because the model says that the chunk does not answer the question?"
        )
        hint = "The question is about bees in winter. Read how each chunk begins."
    else:
        text = (
            f"refine asks about each of these {chunks} chunks. How many replies are dropped when"
            " filtering is off?"
        )
        hint = "Without filtering, does anything tell a useful reply from a useless one?"
    return lesson.LessonQuestion(
        text=text,
        choices=exercises.numbers(
            dropped, (0, chunks), sum(map(len, facts.request.text_chunks)), chunks
        ),
        answer=dropped,
        hint=hint,
    )


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    unsatisfied, calls = _dropped(facts), facts.trace.call_count
    dropped = len(unsatisfied)

    def miss(guess: lesson.Choice) -> str:
        if not dropped:
            return f"You said {guess}: no reply was dropped."
        if dropped == 1:
            return f"You said {guess}: only the reply to chunk {unsatisfied[0]} was dropped."
        return f"You said {guess}: the replies to {numbered('chunk', unsatisfied)} were dropped."

    useful_replies = sums.difference(
        ("calls, one for each chunk", calls),
        ("replies dropped as not satisfied", dropped),
        "replies that could change the answer",
    )
    return lesson.Reveal(
        head=f"{dropped} dropped.",
        miss=miss,
        sums=(useful_replies,),
        remark=_REMARK_FILTERED
        if facts.request.structured_answer_filtering
        else _REMARK_UNFILTERED,
    )


_REMARK_FILTERED = (
    "Filtering keeps chunks that were retrieved by mistake out of the answer. It saves no call:"
    " the model must read a chunk before it can say that the chunk does not help."
)
_REMARK_UNFILTERED = (
    "Without filtering the model is not asked whether a chunk helps: every reply replaces the"
    " answer so far, and a useless chunk may spoil a good answer."
)


def _claim(facts: lesson.LessonFacts) -> bool:
    useless = [n for n, chunk in enumerate(facts.request.text_chunks, 1) if chunk in _OTHERS]
    everything = facts.trace.call_count == len(facts.request.text_chunks)
    return everything and _dropped(facts) == useless and bool(useless)


FILTERING = lesson.Lesson(
    key="filtering",
    title="Structured filtering",
    aim="what filtering keeps out of an answer, and which cost it does not save.",
    text="Retrieval also finds chunks that have nothing to do with the question. With"
    " structured_answer_filtering the model must reply in a fixed form: its answer, and whether"
    " the chunk satisfied the question. If the chunk did not, the reply is dropped and the"
    " answer so far stays.",
    preset=_preset,
    question=_question,
    reveal=_reveal,
    control=lesson.Control(
        "structured_answer_filtering", "Structured answer filtering", (True, False)
    ),
    pictures=("steps",),
    claim=_claim,
)
