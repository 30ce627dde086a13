"""Refine, step by step: a chain in which every call but the first waits."""

from __future__ import annotations

from synth.wording import counted
from ui.lessons.exercises import LIGHTHOUSE, numbers, offline, request_of, some, tries
from ui.lessons.lesson import Choice, Control, Facts, Lesson, Line, Preset, Question, Reveal
from ui.lessons.packed import pieces
from ui.lessons.sums import room_block


def _preset(seed: int) -> Preset:
    chance = next(tries(seed))
    chunks = some(chance, LIGHTHOUSE.chunks, chance.randint(3, 7))
    limits = {"window": 320, "num_output": 48, "padding": 48}
    return Preset(request_of("refine", LIGHTHOUSE.question, chunks, **limits), offline)


def _waiting(found: Facts) -> int:
    return sum(call.depth > 0 for call in found.high.calls)


def _ask(found: Facts) -> Question:
    chunks, waiting = len(found.request.chunks), _waiting(found)
    return Question(
        f"refine reads these {chunks} chunks. How many of its calls must wait for the answer to an"
        " earlier call?",
        numbers(waiting, (0, len(found.high.calls) + 2), len(found.request.chunks[0]), chunks, 0),
        waiting,
        "Every chunk fits into a call of its own. Which calls carry an answer in their prompt?"
        if len(found.high.calls) == chunks
        else "A chunk that is larger than the room is cut, and each part has a call of its own.",
    )


def _show(found: Facts) -> Reveal:
    calls, waiting = found.high.call_count, _waiting(found)

    def miss(guess: Choice) -> str:
        if int(guess) > waiting:
            return f"You said {guess}: of the {calls} calls the first waits for nothing."
        return f"You said {guess}: each of calls 2 to {calls} carries the answer before it."

    first = Line("−", "the first call, which waits for nothing", 1)
    chain = (*pieces(found), first, Line("=", "calls that wait", waiting))
    return Reveal(
        f"{counted(waiting, 'call')}.",
        miss,
        (room_block(found.request), chain),
        "The calls of refine are a chain: none of them can go out before the one ahead of it is"
        " answered, so each chunk adds to the waiting time.",
    )


def _claim(found: Facts) -> bool:
    chunks = len(found.request.chunks)
    return found.high.call_count == found.trace.call_count == found.trace.longest_chain == chunks


REFINE = Lesson(
    "refine",
    "Refine, step by step",
    "refine asks the question with the first chunk alone. Then it shows the model that answer and"
    " the next chunk, and asks for a better answer, until all chunks have had their"
    " turn.",
    _preset,
    _ask,
    _show,
    Control("window", "Context window", tuple(range(224, 401, 8))),
    ("steps", "budget"),
    _claim,
)
