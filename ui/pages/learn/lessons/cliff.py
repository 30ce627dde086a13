"""One token too many: a little text can cost a whole call."""

from collections.abc import Iterator
from dataclasses import replace

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request

WINDOWS = range(220, 601)  # tokens
_NEAR = 40  # tokens


def _candidates(seed: int) -> Iterator[lesson.Preset]:
    """Inputs whose window is just too small for some number of calls."""
    for chance in exercises.attempts(seed):
        chunks = exercises.sample(chance, exercises.KEEPERS.chunks, chance.randint(5, 8))
        limits = {"context_window": 0, "num_output": 48}
        request = exercises.request_of("compact", exercises.KEEPERS.question, chunks, **limits)
        calls = chance.choice((1, 2, 2, 3)) if seed else 2
        yield lesson.Preset(
            replace(request, context_window=_enough(request, calls) - 1), exercises.offline
        )


def _enough(request: Request, calls: int) -> int:
    """The smallest window in which so many calls are enough; the largest if none is."""
    few, many = WINDOWS[-1], WINDOWS[0] - 1
    while few - many > 1:
        middle = (few + many) // 2
        if _calls(replace(request, context_window=middle)) > calls:
            many = middle
        else:
            few = middle
    return few


def _calls(request: Request) -> int:
    return lesson.planned(request, request.num_output).call_count


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    request, calls = facts.request, facts.high.call_count
    chunks = len(request.text_chunks)
    return lesson.LessonQuestion(
        text=f"How many calls will compact make for these {chunks} chunks?",
        choices=exercises.numbers(calls, (1, chunks + 1), request.context_window + chunks, chunks),
        answer=calls,
        hint="Fill the first call, then one further call after the other. Is anything left over?",
        asks="calls",
        to_do=sums.packing_to_do(facts.high, request),
    )


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    request, shares = facts.request, sums.call_shares(facts.high)
    return lesson.Reveal(
        head=f"{counted(len(shares), 'call')}.",
        miss=sums.missed_calls(shares),
        sums=(
            sums.room_sum(request),
            *sums.further_call_sum(request),
            sums.packing_sum(facts.high, shares, sums.room_of(request).for_chunks),
        ),
        remark=f"{_saving(request, len(shares))} However little text is left over, it needs a"
        " whole call, which sends the template and the question again.",
    )


def _saving(request: Request, calls: int) -> str:
    if calls == 1:
        return "All chunks are in one call, so a larger window can't save another."
    enough = _enough(request, calls - 1)
    windows = range(enough - 1, enough + _NEAR)  # larger ones may need a call more again
    last = max(one for one in windows if _calls(replace(request, context_window=one)) >= calls)
    more = last + 1 - request.context_window
    return f"Every window that is at least {counted(more, 'token')} larger would save a call."


def _claim(facts: lesson.LessonFacts) -> bool:
    wider, calls = (
        replace(facts.request, context_window=facts.request.context_window + 1),
        facts.high.call_count,
    )
    as_the_sum_says = calls == facts.trace.call_count == sums.least_calls(facts.high, facts.request)
    return as_the_sum_says and _calls(wider) == calls - 1 and sums.answers_change(facts.trace)


CLIFF = lesson.Lesson(
    key="cliff",
    title="One token too many",
    aim="why a little more text, or a slightly smaller window, can cost a whole call.",
    text="compact packs the chunks into as few calls as it can. Each call must hold the"
    " template, the question and room for the answer, and each further call the answer so far as"
    " well, which may be as long; the rest is room for chunks. Neighbouring calls share a little"
    " text, the overlap.",
    preset=exercises.first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=lesson.Control("context_window", "Context window", tuple(WINDOWS)),
    pictures=("picture", "curve"),
    claim=_claim,
)
