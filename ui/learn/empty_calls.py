"""Calls without their chunks, which the picture of a prediction shows."""

from __future__ import annotations

from synth.pictures.budget import BudgetRow
from synth.runs.budget import Budget
from ui.lessons.lesson import LessonFacts
from ui.lessons.sums import Room, room_of
from ui.settings.request import Request


def empty_calls(facts: LessonFacts, count: int) -> list[BudgetRow]:
    """The bars of `count` calls of this request; the segment of the chunks is the room for them.

    In a chain, each call but the first has an answer in its prompt, which is as long as it may
    be. If the request is refused, the list is empty.
    """
    if not facts.high.calls:
        return []
    room, names = room_of(facts.request), facts.request.synthesizer().templates
    rows = []
    for number in range(1, count + 1):
        refines = room.of_two and number > 1
        budget = _empty(facts.request, room, names[-1] if refines else names[0], refines=refines)
        rows.append(BudgetRow(f"call {number}", budget, bound=refines))
    return rows


def _empty(request: Request, room: Room, name: str, *, refines: bool) -> Budget:
    """The window of a call, filled with all but its chunks."""
    synthesizer = request.synthesizer()
    count, variables = synthesizer.prompt_helper.tokenizer.count, dict(request.variables)
    filled = synthesizer.filled(name, query_str=request.query_str, **variables)
    used = synthesizer.packer.used(filled.partial(existing_answer=""))
    variable = sum(map(count, variables.values()))
    answer = request.num_output if refines else 0
    left = max(0, request.context_window - used - answer - request.num_output)
    chunks = min(room.for_chunks, left)
    margin = min(max(0, room.padding - answer), left - chunks)
    return Budget(
        parts={
            "template": used - room.query - variable,
            "query": room.query,
            "variable": variable,
            "context": chunks,
            "answer": answer,
        },
        reserved=request.num_output,
        padding=margin,
        free=left - chunks - margin,
        over=0,
        window=request.context_window,
    )
