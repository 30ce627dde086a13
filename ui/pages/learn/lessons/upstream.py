"""What LlamaIndex really does: a fixed padding that takes most of a small window."""

from dataclasses import replace
from random import Random

from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request


def _request(chance: Random, seed: int) -> Request:
    chunks, window = exercises.POST_MORTEM.chunks, 1024
    if seed:
        chunks = exercises.sample(chance, chunks, 6, 12)
        window = chance.randrange(896, 1281, 32)
    return exercises.request_of(
        "compact",
        exercises.POST_MORTEM.question,
        chunks,
        behaviour="llama_index",
        context_window=window,
        num_output=128,
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    ours, theirs = (lesson.calls_of(facts.request, behaviour=name) for name in CONTROL.values)
    as_the_sum_says = facts.call_counts == {sums.least_calls(facts)}
    return as_the_sum_says and facts.calls == theirs > ours


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    request, calls, chunks = facts.request, facts.calls, facts.chunks
    ours, room = lesson.calls_of(request, behaviour="documented"), sums.room_of(request)
    input_text = f"for these {chunks} chunks in a window of {request.context_window:,} tokens"
    miss_calls = sums.missed_calls(facts.high)
    blocks = sums.packing_sums(facts)
    documented = request.behaviour == "documented"
    if documented:
        text = f"How many calls does compact make, as documented, {input_text}?"
        hint = (
            "The first call needs no room for an answer so far. A further call needs as much as an"
            f" answer may have, {request.num_output:,} tokens."
        )
    else:
        text = (
            f"As documented, compact makes {counted(ours, 'call')} {input_text}. How many calls"
            " does llama-index-core make?"
        )
        hint = (
            f"The package keeps a safety margin of {room.padding:,} tokens, however small the"
            " window is."
        )
        wider = sums.room_of(replace(request, behaviour="documented"))
        compared = sums.difference(
            ("room for chunks in the first call, as documented", wider.for_chunks),
            ("room for chunks in llama-index-core", room.for_chunks),
            "room that the package does not use",
        )
        blocks = (*blocks, compared)

    def miss(guess: lesson.Choice) -> str:
        if int(guess) == ours and not documented:
            return "that is the number as documented, without the margin"
        return miss_calls(guess)

    return lesson.Task(
        text=text,
        choices=exercises.numbers(
            calls, (1, chunks + 1), request.context_window // 32 + chunks, ours, chunks
        ),
        answer=calls,
        asks="calls",
        hint=hint,
        to_do=sums.packing_to_do(facts),
        head=f"{counted(calls, 'call')}.",
        miss=miss,
        sums=blocks,
        remark=_REMARK_DOCUMENTED if documented else _REMARK_PACKAGE,
    )


_REMARK_DOCUMENTED = (
    "An answer so far is no longer than an answer may be, and the first call has none. Room for"
    " just that leaves more for chunks in a small window than a margin of one size."
)
_REMARK_PACKAGE = (
    "Nothing warns you: the answer only comes later and costs more. To change the margin in the"
    " package, construct Refine or CompactAndRefine yourself with response_padding_size. In the"
    " Playground a box under the plan says where LlamaIndex would do something else."
)
CONTROL = lesson.Control("behaviour", "Behaviour", ("documented", "llama_index"))

UPSTREAM = lesson.Lesson(
    key="upstream",
    title="What LlamaIndex really does",
    aim="why llama-index-core makes more calls in a small window than its documents promise.",
    text="The Playground does what LlamaIndex's documents say. The package, llama-index-core,"
    " does some things differently. One of them is the safety margin (padding), the tokens"
    " that refine and compact leave empty for the answer so far. In the package it has the same"
    " size in every window and in every call.",
    request=_request,
    claim=_claim,
    task=_task,
    control=CONTROL,
    pictures=("compare", "picture"),
)
