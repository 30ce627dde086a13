"""Three levels deep: summaries of summaries."""

from random import Random

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request


def _request(chance: Random, seed: int) -> Request:
    chunks = (*exercises.BRIDGE.chunks, *exercises.LIGHTHOUSE.chunks)
    return exercises.request_of(
        "tree_summarize",
        "Summarize the main points.",
        exercises.sample(chance, chunks, 6, 16),
        context_window=chance.randrange(170, 231, 10),
        num_output=chance.choice((24, 32, 40)),
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    ended = facts.trace.response is not None and facts.high.longest_chain == 3
    return ended and sums.calls_per_level(facts.high) == sums.calls_per_level(facts.trace)


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    request, calls, chunks = facts.request, facts.calls, facts.chunks
    levels = sums.calls_per_level(facts.high)
    counts = sums.added(((f"level {at}", count) for at, count in enumerate(levels)), "calls")
    answers = [sums.answers_sum(facts, level) for level in range(1, len(levels))]

    def miss(guess: lesson.Choice) -> str:
        if int(guess) > calls:
            return f"after {counted(calls, 'call')} only one answer is left"
        missing = counted(calls - int(guess), "call")
        return f"that leaves out {missing} on higher levels"

    return lesson.Task(
        text=f"Level 0, which reads the {chunks} chunks, has {counted(levels[0], 'call')}. If"
        f" every answer has {request.num_output:,} tokens, how many calls do all levels have"
        " together?",
        choices=exercises.numbers(
            calls, (1, calls + 5), request.context_window // 10 + chunks, levels[0]
        ),
        answer=calls,
        asks="calls",
        hint="The answers of a level are packed like chunks into calls of the next level. Go on"
        " until a level is a single call, and count them all.",
        to_do=(
            sums.room_sum(request),
            sums.answers_sum(facts, 1),
            (lesson.SumLine("=", "calls on all levels", None),),
        ),
        head=f"{counted(calls, 'call')} on {counted(len(levels), 'level')}.",
        miss=miss,
        sums=(sums.room_sum(request), *answers, counts),
        remark="The calls of one level are sent together, so the waiting time grows with the"
        " levels and not with the chunks. But higher levels read only summaries, and details of"
        " the chunks get lost.",
    )


TREE = lesson.Lesson(
    key="tree",
    title="Three levels deep",
    aim="how many calls and levels a tree of summaries has, and which of them wait.",
    text="tree_summarize packs the chunks into calls and sends all of these at once. Their"
    " answers are the chunks of the next level, and so on, until everything fits into one call."
    " That last call gives the answer.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("context_window", "Context window", tuple(range(170, 481, 10))),
    pictures=("picture",),
)
