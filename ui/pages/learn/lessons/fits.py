"""It all fits: modes that pack, and modes that ask chunk by chunk."""

from dataclasses import replace

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums

PACKING = ("compact", "tree_summarize", "compact_accumulate")
ONE_BY_ONE = ("refine", "accumulate")


def _preset(seed: int) -> lesson.Preset:
    chance = next(exercises.attempts(seed))
    chunks = exercises.sample(chance, exercises.LIGHTHOUSE.chunks, chance.randint(3, 6))
    mode = chance.choice((*PACKING, *ONE_BY_ONE, *ONE_BY_ONE)) if seed else "compact"
    request = exercises.request_of(
        mode, exercises.LIGHTHOUSE.question, chunks, context_window=1024, num_output=128
    )
    return lesson.Preset(request, exercises.offline)


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    chunks, mode = len(facts.request.text_chunks), facts.request.mode
    calls = lesson.SumLine("=", f"calls of {mode}", None)
    return lesson.LessonQuestion(
        text=f"There are {chunks} chunks, and one call has room for all of them. How many calls"
        f" will {mode} make?",
        choices=exercises.numbers(facts.high.call_count, (1, chunks + 1), chunks, 1, chunks),
        answer=facts.high.call_count,
        hint=f"Does {mode} pack the chunks, or does it ask about one chunk at a time?",
        asks="calls",
        to_do=(sums.room_sum(facts.request), _all_together(facts), (calls,)),
    )


def _all_together(facts: lesson.LessonFacts) -> lesson.Sum:
    """The room that is left in one call beside all chunks."""
    together = lesson.planned(
        replace(facts.request, mode="compact_accumulate"), facts.request.num_output
    )
    return sums.packing_sum(
        together, sums.call_shares(together), sums.room_of(facts.request).for_chunks
    )


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    request, calls, chunks = facts.request, facts.high.call_count, len(facts.request.text_chunks)
    packs = request.mode in PACKING

    def miss(guess: lesson.Choice) -> str:
        if packs:
            return f"You said {guess}: the first call has room for all {chunks} chunks."
        return f"You said {guess}: {request.mode} makes a call for each of the {chunks} chunks."

    alone = (
        lesson.SumLine("", "chunks", chunks),
        lesson.SumLine("×", f"calls of {request.mode} for each chunk", 1),
        lesson.SumLine("=", "calls", calls),
    )
    blocks = (sums.room_sum(request), _all_together(facts))
    return lesson.Reveal(
        head=f"{counted(calls, 'call')}.",
        miss=miss,
        sums=blocks if packs else (*blocks, alone),
        remark="If everything fits, a mode that packs needs a single call. A mode that does not"
        " pack makes a call for each chunk, however much room there is.",
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    expected = 1 if facts.request.mode in PACKING else len(facts.request.text_chunks)
    return facts.high.call_count == facts.low.call_count == facts.trace.call_count == expected


FITS = lesson.Lesson(
    key="fits",
    title="It all fits",
    aim="which modes make one call, and which make one for each chunk, when everything fits.",
    text="The mode decides how chunks become calls to the model. compact, tree_summarize and"
    " compact_accumulate pack: each call gets as many chunks as there is room for. refine and"
    " accumulate ask about one chunk at a time.",
    preset=_preset,
    question=_question,
    reveal=_reveal,
    control=lesson.Control("mode", "Mode", (*PACKING, *ONE_BY_ONE)),
    pictures=("picture",),
    claim=_claim,
)
