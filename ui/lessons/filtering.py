"""Structured filtering: the model says itself whether a chunk answered the question."""

from __future__ import annotations

from synth.wording import numbered
from ui.lessons.exercises import chunks_of, numbers, offline, request_of, some, tries
from ui.lessons.lesson import Choice, Control, Facts, Lesson, Line, Preset, Question, Reveal
from ui.lessons.packed import context

_BEES, _OTHERS = chunks_of("bees"), chunks_of("mail")


def _preset(seed: int) -> Preset:
    """Chunks about bees, and some that a careless search brought along."""
    chance = next(tries(seed))
    chunks = [
        *some(chance, _BEES, chance.randint(2, 4)),
        *some(chance, _OTHERS, chance.randint(1, 4)),
    ]
    chance.shuffle(chunks)
    limits = {"window": 512, "num_output": 96, "padding": 96, "filtering": True}
    question = "How do honeybees survive the winter?"
    return Preset(request_of("refine", question, tuple(chunks), **limits), offline)


def _dropped(found: Facts) -> list[int]:
    """The chunks whose replies were dropped."""
    return [context(call).origins[0].number for call in found.trace.calls if not call.satisfied]


def _ask(found: Facts) -> Question:
    chunks, dropped = len(found.request.chunks), len(_dropped(found))
    if found.request.filtering:
        text = "replies will say that the chunk does not answer the question, and so be dropped"
    else:
        text = "replies will be dropped, with filtering switched off"
    return Question(
        f"refine asks with each of these {chunks} chunks. How many {text}?",
        numbers(dropped, (0, chunks), sum(map(len, found.request.chunks)), chunks),
        dropped,
        "The question is about bees in winter. Read how each chunk begins."
        if found.request.filtering
        else "Who would tell a useful reply from another?",
    )


def _show(found: Facts) -> Reveal:
    unsatisfied, asked = _dropped(found), found.trace.call_count
    dropped = len(unsatisfied)

    def miss(guess: Choice) -> str:
        if not dropped:
            return f"You said {guess}: every reply was taken."
        verb = "were" if dropped > 1 else "was"
        noun = "replies" if dropped > 1 else "reply"
        return f"You said {guess}: the {noun} to {numbered('chunk', unsatisfied)} {verb} dropped."

    kept = (
        Line("", "calls, one for each chunk", asked),
        Line("−", "replies dropped: not satisfied", dropped),
        Line("=", "replies that could change the answer", asked - dropped),
    )
    return Reveal(
        f"{dropped} dropped.",
        miss,
        (kept,),
        _FILTERED if found.request.filtering else _UNFILTERED,
    )


_FILTERED = (
    "Filtering keeps an answer clean of chunks that were fetched by mistake. It saves no call: the"
    " model must read a chunk before it can say that it is no use."
)
_UNFILTERED = (
    "Without filtering nobody asks whether a chunk was of use: every reply takes the place of the"
    " answer before it, and a model may spoil the answer with what it read last."
)


def _claim(found: Facts) -> bool:
    useless = [n for n, chunk in enumerate(found.request.chunks, 1) if chunk in _OTHERS]
    everything = found.trace.call_count == len(found.request.chunks)
    return everything and _dropped(found) == useless and bool(useless)


FILTERING = Lesson(
    "filtering",
    "Structured filtering",
    "Search brings chunks that have nothing to do with the question. With"
    " structured_answer_filtering the model must reply in a fixed form: its answer, and whether"
    " the chunk satisfied the question. A reply that did not is dropped, and the answer so far"
    " stays.",
    _preset,
    _ask,
    _show,
    Control("filtering", "Structured answer filtering", (True, False)),
    ("steps",),
    _claim,
)
