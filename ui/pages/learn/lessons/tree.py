"""Three levels deep: summaries of summaries."""

from collections.abc import Iterator

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums


def _candidates(seed: int) -> Iterator[lesson.Preset]:
    for chance in exercises.attempts(seed):
        chunks = exercises.sample(
            chance, (*exercises.BRIDGE.chunks, *exercises.LIGHTHOUSE.chunks), chance.randint(6, 16)
        )
        request = exercises.request_of(
            "tree_summarize",
            "Summarize the main points.",
            chunks,
            context_window=chance.randrange(170, 231, 10),
            num_output=chance.choice((24, 32, 40)),
        )
        yield lesson.Preset(request, exercises.offline)


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    request, calls = facts.request, facts.high.call_count
    bottom = sums.calls_per_level(facts.high)[0]
    return lesson.LessonQuestion(
        text=f"Level 0, which reads the {len(request.text_chunks)} chunks, has"
        f" {counted(bottom, 'call')}. If every answer has {request.num_output:,} tokens, how many"
        " calls do all levels have together?",
        choices=exercises.numbers(
            calls, (1, calls + 5), request.context_window // 10 + len(request.text_chunks), bottom
        ),
        answer=calls,
        hint="The answers of a level are packed like chunks into calls of the next level. Go on"
        " until a level is a single call, and count them all.",
        asks="calls",
        to_do=(
            sums.room_sum(request),
            sums.answers_sum(facts, 1),
            (lesson.SumLine("=", "calls on all levels", None),),
        ),
    )


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    levels, calls = sums.calls_per_level(facts.high), facts.high.call_count

    def miss(guess: lesson.Choice) -> str:
        if int(guess) > calls:
            return f"You said {guess}: after {counted(calls, 'call')} only one answer is left."
        missing = counted(calls - int(guess), "call")
        return f"You said {guess}: that leaves out {missing} on higher levels."

    counts = sums.added(((f"level {at}", count) for at, count in enumerate(levels)), "calls")
    answers = [sums.answers_sum(facts, level) for level in range(1, len(levels))]
    return lesson.Reveal(
        head=f"{counted(calls, 'call')} on {counted(len(levels), 'level')}.",
        miss=miss,
        sums=(sums.room_sum(facts.request), *answers, counts),
        remark="The calls of one level are sent together, so the waiting time grows with the"
        " levels and not with the chunks. But higher levels read only summaries, and details of"
        " the chunks get lost.",
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    ended = facts.trace.response is not None and facts.high.longest_chain == 3
    return ended and sums.calls_per_level(facts.high) == sums.calls_per_level(facts.trace)


TREE = lesson.Lesson(
    key="tree",
    title="Three levels deep",
    aim="how many calls and levels a tree of summaries has, and which of them wait.",
    text="tree_summarize packs the chunks into calls and sends all of these at once. Their"
    " answers are the chunks of the next level, and so on, until everything fits into one call."
    " That last call gives the answer.",
    preset=exercises.first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=lesson.Control("context_window", "Context window", tuple(range(170, 481, 10))),
    pictures=("picture",),
    claim=_claim,
)
