"""One token too many: a little text can cost a whole call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from synth.wording import counted
from ui.lessons.exercises import (
    LIGHTHOUSE,
    attempts,
    first_that_shows,
    numbers,
    offline,
    request_of,
    sample,
)
from ui.lessons.lesson import (
    Control,
    Lesson,
    LessonFacts,
    LessonQuestion,
    Preset,
    Reveal,
    planned,
)
from ui.lessons.sums import call_shares, missed_calls, packing_sum, room_of, room_sum
from ui.request.request import Request

WINDOWS = range(300, 701)  # tokens


def _candidates(seed: int) -> Iterator[Preset]:
    """Inputs whose window is just too small for some number of calls."""
    for chance in attempts(seed):
        chunks = sample(chance, LIGHTHOUSE.chunks, chance.randint(5, 8))
        limits = {"window": 0, "num_output": 48, "padding": 48}
        request = request_of("compact", LIGHTHOUSE.question, chunks, **limits)
        calls = chance.choice((1, 2, 2, 3)) if seed else 2
        yield Preset(replace(request, window=_enough(request, calls) - 1), offline)


def _enough(request: Request, calls: int) -> int:
    """The smallest window in which so many calls are enough; the largest if none is."""
    few, many = WINDOWS[-1], WINDOWS[0] - 1
    while few - many > 1:
        middle = (few + many) // 2
        if _calls(replace(request, window=middle)) > calls:
            many = middle
        else:
            few = middle
    return few


def _calls(request: Request) -> int:
    return planned(request, request.num_output).call_count


def _question(facts: LessonFacts) -> LessonQuestion:
    request, calls = facts.request, facts.high.call_count
    chunks, total = len(request.chunks), sum(share.new for share in call_shares(facts.high))
    return LessonQuestion(
        text=f"How many calls will compact make for these {chunks} chunks?",
        choices=numbers(calls, (1, chunks + 1), request.window + chunks, chunks),
        answer=calls,
        hint=f"There is room for {room_of(request).for_chunks:,} tokens of chunks in one call."
        f" Together the chunks have {total:,} tokens.",
        asks="calls",
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
    more = _enough(request, calls - 1) - request.window
    return f"A window that is {counted(more, 'token')} larger would save one call."


def _claim(facts: LessonFacts) -> bool:
    wider = replace(facts.request, window=facts.request.window + 1)
    return _calls(wider) == facts.high.call_count - 1 == facts.trace.call_count - 1


CLIFF = Lesson(
    key="cliff",
    title="One token too many",
    text="compact packs the chunks into as few calls as it can. Each call must hold the"
    " template, the question, the answer so far and room for the new answer; the rest is room"
    " for chunks. Neighbouring calls share a little text, the overlap.",
    preset=first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=Control("window", "Context window", tuple(WINDOWS)),
    pictures=("budget", "flow", "curve"),
    claim=_claim,
)
