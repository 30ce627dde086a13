"""It all fits: modes that pack, and modes that ask chunk by chunk."""

from dataclasses import replace

from synth.text.wording import counted
from ui.pages.learn.lessons.exercises import (
    LIGHTHOUSE,
    attempts,
    numbers,
    offline,
    request_of,
    sample,
)
from ui.pages.learn.lessons.lesson import (
    Choice,
    Control,
    Lesson,
    LessonFacts,
    LessonQuestion,
    Preset,
    Reveal,
    Sum,
    SumLine,
    planned,
)
from ui.pages.learn.lessons.sums import call_shares, packing_sum, room_of, room_sum

PACKING = ("compact", "tree_summarize", "compact_accumulate")
ONE_BY_ONE = ("refine", "accumulate")


def _preset(seed: int) -> Preset:
    chance = next(attempts(seed))
    chunks = sample(chance, LIGHTHOUSE.chunks, chance.randint(3, 6))
    mode = chance.choice((*PACKING, *ONE_BY_ONE, *ONE_BY_ONE)) if seed else "compact"
    request = request_of(mode, LIGHTHOUSE.question, chunks, context_window=1024, num_output=128)
    return Preset(request, offline)


def _question(facts: LessonFacts) -> LessonQuestion:
    chunks, mode = len(facts.request.text_chunks), facts.request.mode
    calls = SumLine("=", f"calls of {mode}", None)
    return LessonQuestion(
        text=f"There are {chunks} chunks, and one call has room for all of them. How many calls"
        f" will {mode} make?",
        choices=numbers(facts.high.call_count, (1, chunks + 1), chunks, 1, chunks),
        answer=facts.high.call_count,
        hint=f"Does {mode} pack the chunks, or does it ask about one chunk at a time?",
        asks="calls",
        to_do=(room_sum(facts.request), _all_together(facts), (calls,)),
    )


def _all_together(facts: LessonFacts) -> Sum:
    """The room that is left in one call beside all chunks."""
    together = planned(replace(facts.request, mode="compact_accumulate"), facts.request.num_output)
    return packing_sum(together, call_shares(together), room_of(facts.request).for_chunks)


def _reveal(facts: LessonFacts) -> Reveal:
    request, calls, chunks = facts.request, facts.high.call_count, len(facts.request.text_chunks)
    packs = request.mode in PACKING

    def miss(guess: Choice) -> str:
        if packs:
            return f"You said {guess}: the first call has room for all {chunks} chunks."
        return f"You said {guess}: {request.mode} makes a call for each of the {chunks} chunks."

    alone = (
        SumLine("", "chunks", chunks),
        SumLine("×", f"calls of {request.mode} for each chunk", 1),
        SumLine("=", "calls", calls),
    )
    sums = (room_sum(request), _all_together(facts))
    return Reveal(
        head=f"{counted(calls, 'call')}.",
        miss=miss,
        sums=sums if packs else (*sums, alone),
        remark="If everything fits, a mode that packs needs a single call. A mode that does not"
        " pack makes a call for each chunk, however much room there is.",
    )


def _claim(facts: LessonFacts) -> bool:
    expected = 1 if facts.request.mode in PACKING else len(facts.request.text_chunks)
    return facts.high.call_count == facts.low.call_count == facts.trace.call_count == expected


FITS = Lesson(
    key="fits",
    title="It all fits",
    aim="which modes make one call, and which make one for each chunk, when everything fits.",
    text="The mode decides how chunks become calls to the model. compact, tree_summarize and"
    " compact_accumulate pack: each call gets as many chunks as there is room for. refine and"
    " accumulate ask about one chunk at a time.",
    preset=_preset,
    question=_question,
    reveal=_reveal,
    control=Control("mode", "Mode", (*PACKING, *ONE_BY_ONE)),
    pictures=("budget", "flow"),
    claim=_claim,
)
