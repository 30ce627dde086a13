"""The lost last chunk: simple_summarize cuts off what does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from synth.wording import counted
from ui.lessons.exercises import BRIDGE, first_that, numbers, offline, request_of, some, tries
from ui.lessons.lesson import Choice, Control, Facts, Lesson, Line, Preset, Question, Reveal, facts
from ui.lessons.packed import context
from ui.lessons.sums import room_block, room_of


def _candidates(seed: int) -> Iterator[Preset]:
    for chance in tries(seed):
        chunks = (*some(chance, BRIDGE.chunks[:-1], chance.randint(4, 7)), BRIDGE.chunks[-1])
        limits = {"window": chance.randrange(200, 401, 10), "num_output": 64}
        yield Preset(request_of("simple_summarize", BRIDGE.question, chunks, **limits), offline)


class _Sent(NamedTuple):
    """Tokens of each chunk with the line break before it, and how many chunks are sent whole."""

    tokens: list[int]
    whole: int


def _sent(found: Facts) -> _Sent:
    text, count = context(found.high.calls[0]), found.high.setup.tokenizer.count
    ends = [segment.at + segment.origin.end for segment in text.document.segments]
    reached = [0, *(count(text.document.text[:end]) for end in ends)]
    tokens = [after - before for before, after in pairwise(reached)]
    return _Sent(tokens, sum(not chunk.lost for chunk in found.high.coverage))


def _ask(found: Facts) -> Question:
    chunks, sent = len(found.request.chunks), _sent(found)
    return Question(
        f"How many of these {chunks} chunks reach the model whole?",
        numbers(sent.whole, (0, chunks), found.request.window // 10, chunks),
        sent.whole,
        f"There is room for {room_of(found.request).room:,} tokens. Together the chunks have"
        f" {sum(sent.tokens):,}.",
    )


def _show(found: Facts) -> Reveal:
    sent, room = _sent(found), room_of(found.request).room
    tokens, whole = sent

    def miss(guess: Choice) -> str:
        number = int(guess)
        if number < whole:
            return f"You said {number}: chunk {number + 1} fits as well."
        cut = found.high.coverage[whole]
        part = f"{cut.lost_tokens:,} of the {cut.tokens:,} tokens of chunk {cut.number}"
        return f"You said {number}: {part} {'is' if cut.lost_tokens == 1 else 'are'} left out."

    lines = [Line("−", f"chunk {number}", size) for number, size in enumerate(tokens[:whole], 1)]
    left = room - sum(tokens[:whole])
    end = "still free" if whole == len(tokens) else f"left for chunk {whole + 1}"
    room_line = Line("", "room for chunks in the only call", room)
    return Reveal(
        f"{counted(whole, 'chunk')} of {len(tokens)}.",
        miss,
        (room_block(found.request), (room_line, *lines, Line("=", end, left))),
        _remark(found),
    )


def _remark(found: Facts) -> str:
    lost = found.high.lost_tokens
    if not lost:
        return "Now nothing is lost: simple_summarize is fine as long as everything fits."
    were = "was" if lost == 1 else "were"
    return (
        f"{counted(lost, 'token')} of the chunks {were} never sent, and nothing in the answer says"
        " so. Here the last chunk is the one that holds what was asked for."
    )


def _claim(found: Facts) -> bool:
    last = found.trace.coverage[-1]
    unsent = not any(part.calls for part in last.stretches)
    return unsent and _sent(found).whole > 0 and "recommends" not in (found.trace.response or "")


LOST = Lesson(
    "lost",
    "The lost last chunk",
    "simple_summarize puts all chunks one after the other into a single call. That is quick and"
    " cheap. What does not fit is cut off at the end and never reaches the model, which then"
    " answers as if it had read everything.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    Control("window", "Context window", tuple(range(200, 601, 10))),
    ("coverage", "budget"),
    _claim,
)
