"""What LlamaIndex really does: a fixed padding that takes most of a small window."""

from collections.abc import Iterator
from dataclasses import replace

from synth.modes.factory import Behaviour
from synth.quality.samples import SAMPLES
from synth.runs.trace import Plan
from synth.text.wording import counted
from ui.pages.learn.lessons.exercises import (
    attempts,
    first_that_shows,
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
    SumLine,
    planned,
)
from ui.pages.learn.lessons.sums import (
    call_shares,
    least_calls,
    missed_calls,
    packing_sum,
    packing_to_do,
    room_of,
    room_sum,
)

[_SAMPLE] = [sample for sample in SAMPLES if sample.name == "post_mortem"]


def _candidates(seed: int) -> Iterator[Preset]:
    for chance in attempts(seed):
        chunks = sample(chance, _SAMPLE.chunks, chance.randint(6, 12)) if seed else _SAMPLE.chunks
        limits = {
            "context_window": chance.randrange(896, 1281, 32) if seed else 1024,
            "num_output": 128,
        }
        request = request_of("compact", _SAMPLE.question, chunks, behaviour="llama_index", **limits)
        yield Preset(request, offline)


def _plan_as(facts: LessonFacts, behaviour: Behaviour) -> Plan:
    """The plan of the same input with this behaviour."""
    request = replace(facts.request, behaviour=behaviour)
    return planned(request, request.num_output)


def _question(facts: LessonFacts) -> LessonQuestion:
    request, calls = facts.request, facts.high.call_count
    ours, chunks = _plan_as(facts, "documented").call_count, len(request.text_chunks)
    padding = room_of(request).padding
    if request.behaviour == "documented":
        text = (
            f"How many calls does compact make, as documented, for these {chunks} chunks in a"
            f" window of {request.context_window:,} tokens?"
        )
        hint = f"The safety margin grows with the window. Here it is {padding:,} tokens."
    else:
        text = (
            f"As documented, compact makes {counted(ours, 'call')} for these {chunks} chunks in a"
            f" window of {request.context_window:,} tokens. How many calls does"
            " llama-index-core make?"
        )
        hint = (
            f"The package keeps a safety margin of {padding:,} tokens, however small the window is."
        )
    return LessonQuestion(
        text=text,
        choices=numbers(
            calls, (1, chunks + 1), request.context_window // 32 + chunks, ours, chunks
        ),
        answer=calls,
        hint=hint,
        asks="calls",
        to_do=packing_to_do(facts.high, request),
    )


def _reveal(facts: LessonFacts) -> Reveal:
    request, plan = facts.request, facts.high
    shares, room = call_shares(plan), room_of(request)
    head, miss_calls = f"{counted(len(shares), 'call')}.", missed_calls(shares)
    sums = (room_sum(request), packing_sum(plan, shares, room.for_chunks))
    if request.behaviour == "documented":
        return Reveal(head=head, miss=miss_calls, sums=sums, remark=_REMARK_DOCUMENTED)
    ours = _plan_as(facts, "documented")

    def miss(guess: Choice) -> str:
        if int(guess) == ours.call_count:
            return f"You said {guess}: that is the number as documented, with a smaller margin."
        return miss_calls(guess)

    wider = room_of(replace(request, behaviour="documented"))
    compared = (
        SumLine("", "room for chunks as documented", wider.for_chunks),
        SumLine("−", "room for chunks in llama-index-core", room.for_chunks),
        SumLine("=", "room that the package does not use", wider.for_chunks - room.for_chunks),
    )
    return Reveal(head=head, miss=miss, sums=(*sums, compared), remark=_REMARK_PACKAGE)


_REMARK_DOCUMENTED = (
    "The safety margin is for the answer so far. It need not be larger than an answer. A margin"
    " that grows with the window leaves more room for chunks in a small one."
)
_REMARK_PACKAGE = (
    "Nothing warns you: the answer only comes later and costs more. To change the margin in the"
    " package, construct Refine or CompactAndRefine yourself with response_padding_size. In the"
    " Playground a box under the plan says where LlamaIndex would do something else."
)


def _claim(facts: LessonFacts) -> bool:
    ours, theirs = _plan_as(facts, "documented"), _plan_as(facts, "llama_index")
    counts = {facts.low.call_count, facts.high.call_count, facts.trace.call_count}
    as_the_sum_says = counts == {least_calls(facts.high, facts.request)}
    return as_the_sum_says and counts == {theirs.call_count} and ours.call_count < theirs.call_count


UPSTREAM = Lesson(
    key="upstream",
    title="What LlamaIndex really does",
    aim="why llama-index-core makes more calls in a small window than its documents promise.",
    text="The Playground does what LlamaIndex's documents say. The package, llama-index-core,"
    " does some things differently. One of them is the safety margin (padding), the tokens"
    " that refine and compact leave empty for the answer so far: in the package it has the same"
    " size in every window.",
    preset=first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=Control("behaviour", "Behaviour", ("documented", "llama_index")),
    pictures=("compare", "budget"),
    claim=_claim,
)
