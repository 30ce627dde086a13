"""What LlamaIndex really does: a fixed padding that takes most of a small window."""

from collections.abc import Iterator
from dataclasses import replace

from synth.modes.factory import Behaviour
from synth.runs.trace import Plan
from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums


def _candidates(seed: int) -> Iterator[lesson.Preset]:
    for chance in exercises.attempts(seed):
        chunks = (
            exercises.sample(chance, exercises.POST_MORTEM.chunks, chance.randint(6, 12))
            if seed
            else exercises.POST_MORTEM.chunks
        )
        limits = {
            "context_window": chance.randrange(896, 1281, 32) if seed else 1024,
            "num_output": 128,
        }
        request = exercises.request_of(
            "compact", exercises.POST_MORTEM.question, chunks, behaviour="llama_index", **limits
        )
        yield lesson.Preset(request, exercises.offline)


def _plan_as(facts: lesson.LessonFacts, behaviour: Behaviour) -> Plan:
    """The plan of the same input with this behaviour."""
    request = replace(facts.request, behaviour=behaviour)
    return lesson.planned(request, request.num_output)


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    request, calls = facts.request, facts.high.call_count
    ours, chunks = _plan_as(facts, "documented").call_count, len(request.text_chunks)
    if request.behaviour == "documented":
        text = (
            f"How many calls does compact make, as documented, for these {chunks} chunks in a"
            f" window of {request.context_window:,} tokens?"
        )
        hint = (
            "The first call needs no room for an answer so far. A further call needs as much as an"
            f" answer may have, {request.num_output:,} tokens."
        )
    else:
        text = (
            f"As documented, compact makes {counted(ours, 'call')} for these {chunks} chunks in a"
            f" window of {request.context_window:,} tokens. How many calls does"
            " llama-index-core make?"
        )
        padding = sums.room_of(request).padding
        hint = (
            f"The package keeps a safety margin of {padding:,} tokens, however small the window is."
        )
    return lesson.LessonQuestion(
        text=text,
        choices=exercises.numbers(
            calls, (1, chunks + 1), request.context_window // 32 + chunks, ours, chunks
        ),
        answer=calls,
        hint=hint,
        asks="calls",
        to_do=sums.packing_to_do(facts.high, request),
    )


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    request, plan = facts.request, facts.high
    shares, room = sums.call_shares(plan), sums.room_of(request)
    head, miss_calls = f"{counted(len(shares), 'call')}.", sums.missed_calls(shares)
    blocks = (
        sums.room_sum(request),
        *sums.further_call_sum(request),
        sums.packing_sum(plan, shares, room.for_chunks),
    )
    if request.behaviour == "documented":
        return lesson.Reveal(head=head, miss=miss_calls, sums=blocks, remark=_REMARK_DOCUMENTED)
    ours = _plan_as(facts, "documented")

    def miss(guess: lesson.Choice) -> str:
        if int(guess) == ours.call_count:
            return f"You said {guess}: that is the number as documented, without the margin."
        return miss_calls(guess)

    wider = sums.room_of(replace(request, behaviour="documented"))
    compared = sums.difference(
        ("room for chunks in the first call, as documented", wider.for_chunks),
        ("room for chunks in llama-index-core", room.for_chunks),
        "room that the package does not use",
    )
    return lesson.Reveal(head=head, miss=miss, sums=(*blocks, compared), remark=_REMARK_PACKAGE)


_REMARK_DOCUMENTED = (
    "An answer so far is no longer than an answer may be, and the first call has none. Room for"
    " just that leaves more for chunks in a small window than a margin of one size."
)
_REMARK_PACKAGE = (
    "Nothing warns you: the answer only comes later and costs more. To change the margin in the"
    " package, construct Refine or CompactAndRefine yourself with response_padding_size. In the"
    " Playground a box under the plan says where LlamaIndex would do something else."
)


def _claim(facts: lesson.LessonFacts) -> bool:
    ours, theirs = _plan_as(facts, "documented"), _plan_as(facts, "llama_index")
    counts = {facts.low.call_count, facts.high.call_count, facts.trace.call_count}
    as_the_sum_says = counts == {sums.least_calls(facts.high, facts.request)}
    return as_the_sum_says and counts == {theirs.call_count} and ours.call_count < theirs.call_count


UPSTREAM = lesson.Lesson(
    key="upstream",
    title="What LlamaIndex really does",
    aim="why llama-index-core makes more calls in a small window than its documents promise.",
    text="The Playground does what LlamaIndex's documents say. The package, llama-index-core,"
    " does some things differently. One of them is the safety margin (padding), the tokens"
    " that refine and compact leave empty for the answer so far. In the package it has the same"
    " size in every window and in every call.",
    preset=exercises.first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=lesson.Control("behaviour", "Behaviour", ("documented", "llama_index")),
    pictures=("compare", "picture"),
    claim=_claim,
)
