"""Calls without their chunks, which the figure of a prediction shows."""

from __future__ import annotations

from dataclasses import replace

from synth.calls import PlannedCall
from synth.trace import Plan
from ui.figures import BudgetRow
from ui.lessons.lesson import LessonFacts, planned
from ui.lessons.sums import room_of
from ui.request.request import Request

_COPIES = (1, 4, 16)  # of the chunks, tried until there is a second call to copy


def empty_calls(facts: LessonFacts, count: int) -> list[BudgetRow]:
    """The bars of `count` calls of this request; the segment of the chunks is the room for them.

    Calls beyond those that the request makes look like its last one. If the request is refused,
    the list is empty.
    """
    calls = _calls_to_copy(facts, count)
    room = room_of(facts.request).for_chunks if calls else 0
    rows = [_empty(call, facts.high, room) for call in calls[:count]]
    rows += rows[-1:] * (count - len(rows))
    return [replace(row, label=f"call {number}") for number, row in enumerate(rows, 1)]


def _calls_to_copy(facts: LessonFacts, count: int) -> tuple[PlannedCall, ...]:
    """The calls of the plan; if it has only one and `count` is larger, those of a longer input."""
    calls = facts.high.calls
    for copies in _COPIES:
        if len(calls) > 1 or count <= 1:
            break
        calls = planned(_longer(facts.request, copies), facts.request.num_output).calls
    return calls


def _longer(request: Request, copies: int) -> Request:
    chunks = request.chunks * copies
    unscored = (None,) * len(chunks)
    return replace(request, chunks=chunks, positions=tuple(range(len(chunks))), scores=unscored)


def _empty(call: PlannedCall, plan: Plan, most: int) -> BudgetRow:
    """The call with room for `most` tokens of chunks; if its template leaves more, this is free."""
    held = plan.budget(call)
    refines = any(span.kind == "answer" for span in call.prompt.spans)
    context, answer = held.parts["context"], held.parts["answer"]
    fixed = answer if refines else 0  # in a tree, answers take the room of chunks
    room = max(0, context + answer - fixed + held.free - held.over)
    used = min(room, most)
    parts = {**held.parts, "context": used, "answer": fixed}
    empty = replace(held, parts=parts, free=room - used, over=0)
    return BudgetRow("", empty, bound=refines)
