"""One token too many: a little text can cost a whole call."""

from collections.abc import Iterator
from dataclasses import replace

from synth.text.wording import counted
from ui.pages.learn.lessons.exercises import (
    KEEPERS,
    attempts,
    first_that_shows,
    numbers,
    offline,
    request_of,
    sample,
)
from ui.pages.learn.lessons.lesson import (
    Control,
    Lesson,
    LessonFacts,
    LessonQuestion,
    Preset,
    Reveal,
    planned,
)
from ui.pages.learn.lessons.sums import (
    answers_change,
    call_shares,
    least_calls,
    missed_calls,
    packing_sum,
    packing_to_do,
    room_of,
    room_sum,
)
from ui.settings.request import Request

WINDOWS = range(300, 701)  # tokens
_NEAR = 40  # tokens


def _candidates(seed: int) -> Iterator[Preset]:
    """Inputs whose window is just too small for some number of calls."""
    for chance in attempts(seed):
        chunks = sample(chance, KEEPERS.chunks, chance.randint(5, 8))
        limits = {"context_window": 0, "num_output": 48, "response_padding_size": 48}
        request = request_of("compact", KEEPERS.question, chunks, **limits)
        calls = chance.choice((1, 2, 2, 3)) if seed else 2
        yield Preset(replace(request, context_window=_enough(request, calls) - 1), offline)


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
    return planned(request, request.num_output).call_count


def _question(facts: LessonFacts) -> LessonQuestion:
    request, calls = facts.request, facts.high.call_count
    chunks = len(request.text_chunks)
    return LessonQuestion(
        text=f"How many calls will compact make for these {chunks} chunks?",
        choices=numbers(calls, (1, chunks + 1), request.context_window + chunks, chunks),
        answer=calls,
        hint="Fill the first call, then one further call after the other. Is anything left over?",
        asks="calls",
        to_do=packing_to_do(facts.high, request),
    )


def _reveal(facts: LessonFacts) -> Reveal:
    request, shares = facts.request, call_shares(facts.high)
    return Reveal(
        head=f"{counted(len(shares), 'call')}.",
        miss=missed_calls(shares),
        sums=(room_sum(request), packing_sum(facts.high, shares, room_of(request).for_chunks)),
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


def _claim(facts: LessonFacts) -> bool:
    wider, calls = (
        replace(facts.request, context_window=facts.request.context_window + 1),
        facts.high.call_count,
    )
    as_the_sum_says = calls == facts.trace.call_count == least_calls(facts.high, facts.request)
    return as_the_sum_says and _calls(wider) == calls - 1 and answers_change(facts.trace)


CLIFF = Lesson(
    key="cliff",
    title="One token too many",
    aim="why a little more text, or a slightly smaller window, can cost a whole call.",
    text="compact packs the chunks into as few calls as it can. Each call must hold the"
    " template, the question, the answer so far and room for the answer; the rest is room"
    " for chunks. Neighbouring calls share a little text, the overlap.",
    preset=first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=Control("context_window", "Context window", tuple(WINDOWS)),
    pictures=("budget", "flow", "curve"),
    claim=_claim,
)
