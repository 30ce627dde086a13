"""Compact: packing saves calls, and overlap costs tokens."""

from collections.abc import Iterator
from dataclasses import replace

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums


def _candidates(seed: int) -> Iterator[lesson.Preset]:
    for chance in exercises.attempts(seed):
        chunks = exercises.sample(chance, exercises.KEEPERS.chunks, chance.randint(7, 10))
        window = chance.randrange(310, 441, 10) if seed else 320
        limits = {"context_window": window, "num_output": 80}
        yield lesson.Preset(
            exercises.request_of("compact", exercises.KEEPERS.question, chunks, **limits),
            exercises.offline,
        )


def _refine_calls(facts: lesson.LessonFacts) -> int:
    """Calls that refine would make."""
    request = facts.request
    return lesson.planned(replace(request, mode="refine"), request.num_output).call_count


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    request, calls, refining = facts.request, facts.high.call_count, _refine_calls(facts)
    return lesson.LessonQuestion(
        text=f"refine makes {refining} calls for these {len(request.text_chunks)} chunks. How many"
        " calls does compact make?",
        choices=exercises.numbers(
            calls, (1, refining), request.context_window // 10 + len(request.text_chunks), refining
        ),
        answer=calls,
        hint="The first call can fill all of its room. A further call also holds the answer so far"
        " and repeats the end of the call before it, so it takes less new text.",
        asks="calls",
        to_do=sums.packing_to_do(facts.high, request),
    )


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    request, shares, refining = facts.request, sums.call_shares(facts.high), _refine_calls(facts)
    packed = sums.packing_sum(facts.high, shares, sums.room_of(request).for_chunks)
    repeated = sum(share.overlap for share in shares)
    return lesson.Reveal(
        head=f"{counted(len(shares), 'call')}.",
        miss=sums.missed_calls(shares),
        sums=(
            sums.room_sum(request),
            *sums.further_call_sum(request),
            packed,
            _savings_sum(refining, len(shares)),
        ),
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


def _claim(facts: lesson.LessonFacts) -> bool:
    counts = {facts.low.call_count, facts.high.call_count, facts.trace.call_count}
    as_the_sum_says = counts == {sums.least_calls(facts.high, facts.request)}
    saves = 1 < facts.high.call_count < _refine_calls(facts) / 2
    changes = len({call.answer for call in facts.trace.calls}) > 1
    return as_the_sum_says and saves and changes and sums.answers_change(facts.trace)


COMPACT = lesson.Lesson(
    key="compact",
    title="Compact",
    aim="how many calls compact saves, and what the overlap takes back.",
    text="A call of refine holds a single chunk, and the rest of its window stays empty. compact"
    " first joins all chunks, cuts the joined text into pieces that fill the room, and then"
    " works like refine. The next piece repeats the end of the one before it, so that a sentence"
    " that is cut can still be understood.",
    preset=exercises.first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=lesson.Control(
        "chunk_overlap_ratio", "Overlap, as a share of the room", (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    ),
    pictures=("picture",),
    claim=_claim,
)
