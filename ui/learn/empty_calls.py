"""Calls that hold all they must hold but for chunks: what a prediction is drawn with."""

from __future__ import annotations

from dataclasses import replace

from synth.calls import PlannedCall
from synth.trace import Plan
from ui.figures import BudgetRow
from ui.lessons.lesson import Facts, planned
from ui.request.request import Request

_COPIES = (1, 4, 16)  # of the chunks, until there is a second call to take the shape of


def empty_calls(found: Facts, count: int) -> list[BudgetRow]:
    """So many calls of this request, the chunks' segment being the room for them.

    Calls beyond those that it would make have the shape of its last one. None where the
    request is refused.
    """
    calls = _shapes(found, count)
    rows = [_empty(call, found.high) for call in calls[:count]]
    rows += rows[-1:] * (count - len(rows))
    return [replace(row, label=f"call {number}") for number, row in enumerate(rows, 1)]


def _shapes(found: Facts, count: int) -> tuple[PlannedCall, ...]:
    """The calls of the plan; if it has one and more are asked for, those of a longer input."""
    calls = found.high.calls
    for copies in _COPIES:
        if len(calls) > 1 or count <= 1:
            break
        calls = planned(_longer(found.request, copies), found.request.num_output).calls
    return calls


def _longer(request: Request, copies: int) -> Request:
    chunks = request.chunks * copies
    unscored = (None,) * len(chunks)
    return replace(request, chunks=chunks, positions=tuple(range(len(chunks))), scores=unscored)


def _empty(call: PlannedCall, plan: Plan) -> BudgetRow:
    held = plan.budget(call)
    refines = any(span.kind == "answer" for span in call.prompt.spans)
    context, answer = held.parts["context"], held.parts["answer"]
    fixed = answer if refines else 0  # in a tree answers stand where chunks stand
    room = max(0, context + answer - fixed + held.free - held.over)
    empty = replace(held, parts={**held.parts, "context": room, "answer": fixed}, free=0, over=0)
    return BudgetRow("", empty, bound=refines)
