"""What is given and what is asked before a prediction: texts, sums, and calls without chunks."""

from collections.abc import Iterable

from synth.html.markup import Html, tag, together
from synth.pictures.budget import BudgetRow
from synth.runs.budget import Budget
from synth.text.wording import counted
from ui.pages.learn.lessons.lesson import LessonFacts, Sum, SumLine
from ui.pages.learn.lessons.sums import Room, room_of
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


def given_html(facts: LessonFacts, sizes: bool) -> Html:
    """The question and all chunks, open; without `sizes`, no tokens are told."""
    count = facts.high.setup.tokenizer.count
    texts = [("query", "?", "question", facts.request.query_str)]
    texts += [
        ("context", f"{number}", f"chunk {number}", text)
        for number, text in enumerate(facts.request.text_chunks, 1)
    ]
    return together(
        tag(
            "div.given.num",
            tag(
                "div.head",
                tag(f"span.number.n-{kind}", sign),
                tag("span", name),
                tag("span", counted(count(text), "token") if sizes else ""),
            ),
            tag("p", text, dir="auto"),
        )
        for kind, sign, name, text in texts
    )


def sums_html(sums: Iterable[Sum], name: str) -> Html:
    """The sums one below the other; a number to find is a question mark. `name` is for readers."""
    bodies = (tag("tbody", *map(_row, lines)) for lines in sums)
    return tag("table.sums", *bodies, aria_label=name)


def _row(line: SumLine) -> Html:
    amount = "?" if line.amount is None else f"{line.amount:,}".replace("-", "−")
    reason = (" ", tag("span.reason", line.reason)) if line.reason else ()
    return tag(
        "tr.result" if line.sign == "=" else "tr",
        tag("td.sign", line.sign),
        tag("th", line.label, *reason, scope="row"),
        tag("td.amount", amount),
    )
