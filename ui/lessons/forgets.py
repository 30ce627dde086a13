"""Refine forgets: an answer has little room, and new text pushes older text out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from synth.llms.sentences import paragraphs
from synth.wording import counted, numbered
from ui.lessons.exercises import first_that, numbers, offline, request_of, tries
from ui.lessons.lesson import Choice, Control, Facts, Lesson, Line, Preset, Question, Reveal, facts

_QUESTION = "Which keepers tended the light on Skarholm?"
_NAMES = (
    "Ana Lindqvist",
    "Per Holm",
    "Sigrid Moe",
    "Olav Brekke",
    "Ida Strand",
    "Jonas Vik",
    "Marta Eide",
    "Nils Aune",
)
_SERVED = (
    "{name} tended the light on Skarholm.",
    "{name} was keeper on Skarholm and tended the light with two brothers.",
    "Keeper {name} came from the mainland and tended the light through the war.",
    "{name} tended the light as a young keeper and wrote poems about the sea.",
    "Of all keepers {name} tended the light longest, for more than thirty years.",
    "The keeper after that was {name}, a former sailor.",
    "{name} became keeper when the fog horn arrived.",
)
_ASIDES = (
    "The log of those years is kept in the town archive.",
    "A portrait hangs in the hall of the hostel.",
    "Not much else is known, for a flood took the letters.",
    "The fishermen of the bay still tell stories about it.",
    "A bench above the landing place bears a small plate.",
)


def _chunk(chance: Random, name: str) -> str:
    return f"{chance.choice(_SERVED).format(name=name)} {chance.choice(_ASIDES)}"


def _candidates(seed: int) -> Iterator[Preset]:
    for chance in tries(seed):
        names = chance.sample(_NAMES, chance.randint(5, 7))
        chunks = tuple(_chunk(chance, name) for name in names)
        limits = {"window": 400, "num_output": chance.choice((64, 72, 80)), "padding": 80}
        yield Preset(request_of("refine", _QUESTION, chunks, **limits), offline)


def _quoted(found: Facts) -> list[set[int]]:
    """The chunks that the answer to each call quotes."""
    chunks = found.request.chunks
    sentences = [[text for part in paragraphs(chunk) for text in part] for chunk in chunks]
    return [
        {
            number
            for number, own in enumerate(sentences, 1)
            if any(sentence in (call.answer or "") for sentence in own)
        }
        for call in found.trace.calls
    ]


def _ask(found: Facts) -> Question:
    chunks, last = len(found.request.chunks), len(_quoted(found)[-1])
    room = found.request.num_output
    return Question(
        f"Each of these {chunks} chunks tells of a different keeper. How many of the chunks does"
        " the final answer quote?",
        numbers(last, (1, chunks), sum(map(len, found.request.chunks)), chunks),
        last,
        f"The offline model quotes the few sentences that match the question best, and an answer"
        f" has at most {room:,} tokens.",
    )


def _show(found: Facts) -> Reveal:
    quoted, chunks = _quoted(found), len(found.request.chunks)
    last = len(quoted[-1])
    lost = len(set().union(*quoted) - quoted[-1])

    def miss(guess: Choice) -> str:
        return f"You said {guess}: the final answer quotes {numbered('chunk', sorted(quoted[-1]))}."

    return Reveal(
        f"{counted(last, 'chunk')} of {chunks}.",
        miss,
        (_history(quoted),),
        f"{_gone(lost)} Look at the steps before you trust the end: an answer in the middle may"
        " say more.",
    )


def _gone(lost: int) -> str:
    if not lost:
        return "Nothing that was quoted once is gone from the final answer."
    was, has = ("was", "is") if lost == 1 else ("were", "are")
    return f"{counted(lost, 'chunk')} {was} quoted earlier and {has} gone from the final answer."


def _history(quoted: list[set[int]]) -> tuple[Line, ...]:
    """What each call adds to the answer and drops from it, in chunks quoted."""
    lines = [Line("", "call 1 quotes", len(quoted[0]))]
    for number, (before, after) in enumerate(pairwise(quoted), 2):
        if added := len(after - before):
            lines.append(Line("+", f"call {number} quotes anew", added))
        if dropped := len(before - after):
            lines.append(Line("−", f"call {number} drops", dropped))
    return *lines, Line("=", "chunks quoted in the final answer", len(quoted[-1]))


def _claim(found: Facts) -> bool:
    quoted = _quoted(found)
    forgotten = bool(set().union(*quoted) - quoted[-1])
    return forgotten and len(quoted) == len(found.request.chunks) and len(quoted[-1]) > 1


FORGETS = Lesson(
    "forgets",
    "Refine forgets",
    "In refine, later calls see earlier chunks only through the answer so far. The answer may not"
    " grow beyond its limit, so each new chunk competes with what is already in it. What one call"
    " drops, no later call can bring back.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    Control("num_output", "Longest answer (num_output)", tuple(range(24, 97, 8))),
    ("steps",),
    _claim,
)
