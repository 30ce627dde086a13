"""Why there is a budget: what shares the window with the chunks."""

from __future__ import annotations

from ui.lessons.exercises import LIGHTHOUSE, offline, request_of, some, tries
from ui.lessons.lesson import Choice, Control, Facts, Lesson, Preset, Question, Reveal
from ui.lessons.sums import room_block, room_of


def _preset(seed: int) -> Preset:
    chance = next(tries(seed))
    request = request_of(
        "simple_summarize",
        LIGHTHOUSE.question,
        some(chance, LIGHTHOUSE.chunks, 3),
        window=chance.choice((480, 512, 560, 600, 640)),
        num_output=chance.choice((64, 96, 128, 160)),
    )
    return Preset(request, offline)


def _mistakes(found: Facts) -> dict[int, str]:
    """Some wrong answers, and how one gets at them; others for other inputs."""
    room, window, answer = room_of(found.request), found.request.window, found.request.num_output
    chunks = sum(chunk.tokens for chunk in found.high.coverage)
    prompt = room.template + room.query
    made = [
        (window - answer - prompt, "that forgets the padding"),
        (window - answer, "that forgets the template, the question and the padding"),
        (room.room - chunks, "that takes off the chunks, which are to go into this room"),
        (window - prompt, "that forgets the new answer and the padding"),
        (room.room - answer, "that takes off the answer twice"),
        (window, "that forgets everything but the chunks"),
    ]
    turn = (window + answer) // 8 % len(made)
    possible = {value: how for value, how in made[turn:] + made[:turn] if 0 < value != room.room}
    return dict(list(possible.items())[:4])


def _ask(found: Facts) -> Question:
    request, room = found.request, room_of(found.request)
    return Question(
        f"The window holds {request.window:,} tokens. {request.num_output:,} of them are kept for"
        " the answer. How many are left for chunks?",
        tuple(sorted([*_mistakes(found), room.room])),
        room.room,
        f"The template, the fixed words around the chunks, takes {room.template:,} tokens and the"
        f" question {room.query:,}. A small reserve, the padding, stays empty.",
    )


def _show(found: Facts) -> Reveal:
    room, mistakes = room_of(found.request), _mistakes(found)

    def miss(guess: Choice) -> str:
        return f"You said {int(guess):,}: {mistakes[int(guess)]}."

    return Reveal(
        f"{room.room:,} tokens.",
        miss,
        (room_block(found.request),),
        "Prompt and answer share the window: what one of them takes, the other can't have.",
    )


def _claim(found: Facts) -> bool:
    [call] = found.high.calls
    held = found.high.budget(call)
    return held.parts["context"] + held.free == room_of(found.request).room and held.free > 0


WHY = Lesson(
    "why",
    "Why a budget",
    "A language model reads and writes tokens: words, or pieces of words. It can hold only so"
    " many of them, its context window, and the prompt and the answer share it. What the rest"
    " leaves is the room for chunks, the pieces of text that the answer is to come from.",
    _preset,
    _ask,
    _show,
    Control("num_output", "Tokens kept for the answer (num_output)", tuple(range(16, 257, 8))),
    ("budget",),
    _claim,
)
