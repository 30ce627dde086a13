"""One token too many: a little text can cost a whole call."""

from dataclasses import replace
from random import Random

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request

WINDOWS = range(220, 601)  # tokens
_NEAR = 40  # tokens


def _request(chance: Random, seed: int) -> Request:
    """An input whose window is just too small for some number of calls."""
    chunks = exercises.sample(chance, exercises.KEEPERS.chunks, 5, 8)
    request = exercises.request_of(
        "compact", exercises.KEEPERS.question, chunks, context_window=0, num_output=48
    )
    calls = chance.choice((1, 2, 2, 3)) if seed else 2
    return replace(request, context_window=_enough(request, calls) - 1)


def _enough(request: Request, calls: int) -> int:
    """The smallest window but the first in which so many calls are enough; the largest if none."""
    few, many = WINDOWS[-1], WINDOWS[0]
    while few - many > 1:
        middle = (few + many) // 2
        if lesson.calls_of(request, context_window=middle) > calls:
            many = middle
        else:
            few = middle
    return few


def _claim(facts: lesson.LessonFacts) -> bool:
    request, calls = facts.request, facts.calls
    as_the_sum_says = calls == facts.trace.call_count == sums.least_calls(facts)
    wider = request.context_window + 1
    saves = lesson.calls_of(request, context_window=wider) == calls - 1
    return as_the_sum_says and saves and sums.answers_change(facts.trace)


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    request, calls, chunks = facts.request, facts.calls, facts.chunks
    return lesson.Task(
        text=f"How many calls will compact make for these {chunks} chunks?",
        choices=exercises.numbers(calls, (1, chunks + 1), request.context_window + chunks, chunks),
        answer=calls,
        asks="calls",
        hint="Fill the first call, then one further call after the other. Is anything left over?",
        to_do=sums.packing_to_do(facts),
        head=f"{counted(calls, 'call')}.",
        miss=sums.missed_calls(facts.high),
        sums=sums.packing_sums(facts),
        remark=f"{_saving(request, calls)} However little text is left over, it needs a"
        " whole call, which sends the template and the question again.",
    )


def _saving(request: Request, calls: int) -> str:
    if calls == 1:
        return "All chunks are in one call, so a larger window can't save another."
    enough = _enough(request, calls - 1)
    windows = range(enough - 1, enough + _NEAR)  # larger ones may need a call more again
    last = max(w for w in windows if lesson.calls_of(request, context_window=w) >= calls)
    more = last + 1 - request.context_window
    return f"Every window that is at least {counted(more, 'token')} larger would save a call."


CLIFF = lesson.Lesson(
    key="cliff",
    title="One token too many",
    aim="why a little more text, or a slightly smaller window, can cost a whole call.",
    text="compact packs the chunks into as few calls as it can. Each call must hold the"
    " template, the question and room for the answer, and each further call the answer so far as"
    " well, which may be as long; the rest is room for chunks. Neighbouring calls share a little"
    " text, the overlap.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("context_window", "Context window", tuple(WINDOWS)),
    pictures=("picture", "curve"),
)
