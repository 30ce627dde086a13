"""Refine forgets: an answer has little room, and new text pushes older text out."""

from itertools import pairwise
from random import Random

from synth.llms.relevance import SENTENCES
from synth.text.sentences import paragraphs
from synth.text.wording import counted, numbered
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request

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


def _request(chance: Random, seed: int) -> Request:
    names = chance.sample(_NAMES, chance.randint(5, 7))
    chunks = tuple(_chunk(chance, name) for name in names)
    answer = chance.choice((64, 72, 80))
    return exercises.request_of("refine", _QUESTION, chunks, context_window=400, num_output=answer)


def _about_each(facts: lesson.LessonFacts) -> list[str]:
    """The sentence of each chunk that names its keeper; the one after it may be in two chunks."""
    return [paragraphs(chunk)[0][0] for chunk in facts.request.text_chunks]


def _quoted(facts: lesson.LessonFacts) -> list[set[int]]:
    """The chunks whose keeper the answer to each call names."""
    sentences = list(enumerate(_about_each(facts), 1))
    return [
        {number for number, sentence in sentences if sentence in (call.answer or "")}
        for call in facts.trace.calls
    ]


def _claim(facts: lesson.LessonFacts) -> bool:
    quoted = _quoted(facts)
    forgotten = bool(set().union(*quoted) - quoted[-1])
    return forgotten and len(quoted) == facts.chunks and len(quoted[-1]) > 1


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    quoted, chunks = _quoted(facts), facts.chunks
    last = len(quoted[-1])
    lost = len(set().union(*quoted) - quoted[-1])
    return lesson.Task(
        text=f"Each of these {chunks} chunks is about a different keeper. How many of the chunks"
        " does the final answer quote?",
        choices=exercises.numbers(last, (1, chunks), facts.characters, chunks),
        answer=last,
        hint="The offline model quotes whole sentences, those that match the question best, and"
        " stops where the next one would not fit.",
        to_do=_lengths(facts),
        head=f"{counted(last, 'chunk')} of {chunks}.",
        miss=f"the final answer quotes {numbered('chunk', sorted(quoted[-1]))}",
        sums=(_history_sum(quoted),),
        remark=f"{_lost_sentence(lost)} Look at the steps before you trust the final answer: an"
        " earlier one may say more.",
    )


def _lengths(facts: lesson.LessonFacts) -> tuple[lesson.Sum, ...]:
    """The tokens about each keeper, what an answer may hold, and the quoted chunks to find."""
    sentences = (
        (f"the keeper's sentence in chunk {number}", facts.tokens(sentence))
        for number, sentence in enumerate(_about_each(facts), 1)
    )
    return (
        sums.added(sentences, "tokens of all of them"),
        (
            lesson.SumLine("", "room for the answer", facts.request.num_output),
            lesson.SumLine("", "sentences in an answer, at most", SENTENCES),
            lesson.SumLine("=", "chunks that the final answer quotes", None),
        ),
    )


def _lost_sentence(lost: int) -> str:
    if not lost:
        return "The final answer still quotes every chunk that an earlier answer quoted."
    return f"Earlier answers quoted {counted(lost, 'chunk')} that the final answer leaves out."


def _history_sum(quoted: list[set[int]]) -> lesson.Sum:
    """The number of chunks that each call adds to the answer or drops from it."""
    lines = [lesson.SumLine("", "call 1 quotes", len(quoted[0]))]
    for number, (before, after) in enumerate(pairwise(quoted), 2):
        if added := len(after - before):
            lines.append(lesson.SumLine("+", f"call {number} adds", added))
        if dropped := len(before - after):
            lines.append(lesson.SumLine("−", f"call {number} drops", dropped))
    return *lines, lesson.SumLine("=", "chunks quoted in the final answer", len(quoted[-1]))


FORGETS = lesson.Lesson(
    key="forgets",
    title="Refine forgets",
    aim="what refine can forget on the way, and at which step to look for it.",
    text="In refine, later calls see earlier chunks only through the answer so far. That answer"
    " has a limited length, so each new chunk competes with the text that is already in it. What"
    " one call drops, no later call can bring back.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("num_output", "Answer length (num_output)", tuple(range(24, 97, 8))),
    pictures=("steps",),
)
