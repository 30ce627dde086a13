"""It all fits: modes that pack, and modes that ask chunk by chunk."""

from dataclasses import replace
from random import Random

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request

PACKING = ("compact", "tree_summarize", "compact_accumulate")
ONE_BY_ONE = ("refine", "accumulate")


def _request(chance: Random, seed: int) -> Request:
    chunks = exercises.sample(chance, exercises.LIGHTHOUSE.chunks, 3, 6)
    mode = chance.choice((*PACKING, *ONE_BY_ONE, *ONE_BY_ONE)) if seed else "compact"
    return exercises.request_of(
        mode, exercises.LIGHTHOUSE.question, chunks, context_window=1024, num_output=128
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    return facts.call_counts == {1 if facts.request.mode in PACKING else facts.chunks}


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    request, calls, chunks = facts.request, facts.calls, facts.chunks
    mode, packs = request.mode, request.mode in PACKING
    together = lesson.planned(replace(request, mode="compact_accumulate"), request.num_output)
    room = sums.room_of(request).for_chunks
    blocks = (sums.room_sum(request), sums.packing_sum(together, room))
    alone = (
        lesson.SumLine("", "chunks", chunks),
        lesson.SumLine("×", f"calls of {mode} for each chunk", 1),
        lesson.SumLine("=", "calls", calls),
    )
    miss = f"{mode} makes a call for each of the {chunks} chunks"
    if packs:
        miss = f"the first call has room for all {chunks} chunks"
    return lesson.Task(
        text=f"There are {chunks} chunks, and one call has room for all of them. How many calls"
        f" will {mode} make?",
        choices=exercises.numbers(calls, (1, chunks + 1), chunks, 1, chunks),
        answer=calls,
        asks="calls",
        hint=f"Does {mode} pack the chunks, or does it ask about one chunk at a time?",
        to_do=(*blocks, (lesson.SumLine("=", f"calls of {mode}", None),)),
        head=f"{counted(calls, 'call')}.",
        miss=miss,
        sums=blocks if packs else (*blocks, alone),
        remark="If everything fits, a mode that packs needs a single call. A mode that does not"
        " pack makes a call for each chunk, however much room there is.",
    )


FITS = lesson.Lesson(
    key="fits",
    title="It all fits",
    aim="which modes make one call, and which make one for each chunk, when everything fits.",
    text="The mode decides how chunks become calls to the model. compact, tree_summarize and"
    " compact_accumulate pack: each call gets as many chunks as there is room for. refine and"
    " accumulate ask about one chunk at a time.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("mode", "Mode", (*PACKING, *ONE_BY_ONE)),
    pictures=("picture",),
)
