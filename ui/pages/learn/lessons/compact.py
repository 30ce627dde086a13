"""Compact: packing saves calls, and overlap costs tokens."""

from random import Random

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request


def _request(chance: Random, seed: int) -> Request:
    chunks = exercises.sample(chance, exercises.KEEPERS.chunks, 7, 10)
    window = chance.randrange(310, 441, 10) if seed else 320
    return exercises.request_of(
        "compact", exercises.KEEPERS.question, chunks, context_window=window, num_output=80
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    as_the_sum_says = facts.call_counts == {sums.least_calls(facts)}
    saves = 1 < facts.calls < lesson.calls_of(facts.request, mode="refine") / 2
    changes = len({call.answer for call in facts.trace.calls}) > 1
    return as_the_sum_says and saves and changes and sums.answers_change(facts.trace)


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    request, calls, chunks = facts.request, facts.calls, facts.chunks
    refining = lesson.calls_of(request, mode="refine")
    repeated = sum(share.overlap for share in sums.call_shares(facts.high))
    return lesson.Task(
        text=f"refine makes {refining} calls for these {chunks} chunks. How many calls does"
        " compact make?",
        choices=exercises.numbers(
            calls, (1, refining), request.context_window // 10 + chunks, refining
        ),
        answer=calls,
        asks="calls",
        hint="The first call can fill all of its room. A further call also holds the answer so far"
        " and repeats the end of the call before it, so it takes less new text.",
        to_do=sums.packing_to_do(facts),
        head=f"{counted(calls, 'call')}.",
        miss=sums.missed_calls(facts.high),
        sums=(*sums.packing_sums(facts), _savings_sum(refining, calls)),
        remark="Every call sends the template and the question again, so fewer calls cost less."
        f" {_overlap_sentence(repeated)}",
    )


def _savings_sum(refine: int, compact: int) -> lesson.Sum:
    """The calls that compact saves; with much overlap it may even make more than refine."""
    before, after = ("calls of refine", refine), ("calls of compact", compact)
    if compact <= refine:
        return sums.difference(before, after, "calls saved")
    return sums.difference(after, before, "more calls than refine")


def _overlap_sentence(repeated: int) -> str:
    if not repeated:
        return "Nothing is sent twice here, but a sentence may be cut in two."
    return f"Overlap takes back some of that saving: here it repeats {counted(repeated, 'token')}."


COMPACT = lesson.Lesson(
    key="compact",
    title="Compact",
    aim="how many calls compact saves, and what the overlap takes back.",
    text="A call of refine holds a single chunk, and the rest of its window stays empty. compact"
    " first joins all chunks, cuts the joined text into pieces that fill the room, and then"
    " works like refine. The next piece repeats the end of the one before it, so that a sentence"
    " that is cut can still be understood.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control(
        "chunk_overlap_ratio", "Overlap, as a share of the room", (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    ),
    pictures=("picture",),
)
