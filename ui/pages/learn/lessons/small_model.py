"""Lessons with answers of a real, very small model, recorded once: one stays, one is invented."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise, permutations, product
from pathlib import Path
from random import Random
from typing import Any

from pydantic import TypeAdapter
from typing_extensions import override

from synth.errors import ModelError
from synth.llms import LLM, FunctionLLM
from synth.quality.support import find_mentions, find_unfounded
from synth.text.diff import word_diff
from ui.pages.learn.lessons import exercises
from ui.pages.learn.lessons.exercises import Lesson, LessonFacts, Solution
from ui.settings.request import Request

FILE = Path(__file__).with_name("recording.json")


@dataclass(frozen=True)
class Recording:
    """What was asked: the model, its `file` and that file's SHA-256, the server and its settings.

    `answers` has each answer under the SHA-256 of its prompt, the one user message of a chat.
    """

    model: str
    file: str
    sha256: str
    licence: str
    server: str
    settings: Mapping[str, Any]
    answers: Mapping[str, str]


RECORDING = TypeAdapter(Recording).validate_json(FILE.read_bytes())
NUM_OUTPUT: int = RECORDING.settings["max_tokens"]
"""Tokens at which the server cut each answer off."""


def digest(prompt: str) -> str:
    """The name of a prompt in a recording."""
    return sha256(prompt.encode()).hexdigest()


def recorded(request: Request) -> LLM:
    """The model that gives the recorded answers; ModelError for a prompt that was not recorded."""

    def answer(prompt: str) -> str:
        found = RECORDING.answers.get(digest(prompt))
        if found is None:
            raise ModelError(f"{RECORDING.model} was not asked this when it was recorded.")
        return found

    return FunctionLLM(answer, request.context_window, request.num_output, request.tokenizer)


_CAUSE = "8 instead of 80"
[_ROOT] = [chunk for chunk in exercises.POST_MORTEM.chunks if _CAUSE in chunk]
*_OTHERS, _WEAKEST = exercises.POST_MORTEM.chunks[4:8]

ORDERS = tuple(
    exercises.request_of(
        "refine",
        "Which setting was wrong?",
        (*others, *last, _ROOT),
        context_window=512,
        num_output=NUM_OUTPUT,
    )
    for others in permutations(_OTHERS)
    for last in ((), (_WEAKEST,))
)
"""Chunks of a report in some order, and the one that tells the cause as the last."""


class Anchors(Lesson):
    """A first answer that stays: the model reads the cause last, and does not tell it."""

    key = "anchors"

    @override
    def llm(self, request: Request) -> LLM:
        return recorded(request)

    def _request(self, chance: Random, seed: int) -> Request:
        return chance.choice(ORDERS)

    def _answers(self, facts: LessonFacts) -> list[str]:
        return [call.answer or "" for call in facts.trace.calls]

    def _root(self, facts: LessonFacts) -> int:
        """Return the number of the chunk that tells the cause, and of the call that reads it."""
        return facts.request.text_chunks.index(_ROOT) + 1

    def _claim(self, facts: LessonFacts) -> bool:
        answers, chunks = self._answers(facts), facts.chunks
        if len(answers) != chunks or self._root(facts) != chunks:
            return False
        silent = not any(_CAUSE in answer for answer in answers)
        stays = word_diff(answers[0], answers[-1]).share > 0.9
        return silent and stays and answers[-1] == answers[-2]

    def _solve(self, facts: LessonFacts) -> Solution:
        answers = self._answers(facts)
        pairs = enumerate(pairwise(answers), 2)
        changing = [number for number, (before, after) in pairs if before != after]
        return Solution(
            len(changing),
            tuple(range(facts.chunks)),
            names={
                "root": self._root(facts),
                "cause": _CAUSE,
                "changing": changing,
                "told": [number for number, text in enumerate(answers, 1) if _CAUSE in text],
                "changes": word_diff(answers[0], answers[-1]).changes,
            },
        )


_QUESTIONS = (
    "How much did the outage cost?",
    "Who edited the configuration file?",
    "What happened?",
)

QUESTIONS_OF_CHUNKS = tuple(
    exercises.request_of("compact", query, (chunk,), context_window=400, num_output=NUM_OUTPUT)
    for chunk, query in product(exercises.POST_MORTEM.chunks[:8], _QUESTIONS)
)
"""A chunk of the report and a question; most of these chunks don't answer it."""


class Invented(Lesson):
    """Stands in no chunk: what a model makes up, and what a search for it can find."""

    key = "invented"

    @override
    def llm(self, request: Request) -> LLM:
        return recorded(request)

    def _request(self, chance: Random, seed: int) -> Request:
        return chance.choice(QUESTIONS_OF_CHUNKS)

    def _invented(self, facts: LessonFacts) -> list[str]:
        """Return what stands neither in the chunk nor in the question, each once."""
        return list(dict.fromkeys(mention.text for mention in find_unfounded(facts.trace)))

    def _claim(self, facts: LessonFacts) -> bool:
        return facts.trace.call_count == 1 and bool(self._invented(facts))

    def _solve(self, facts: LessonFacts) -> Solution:
        invented = self._invented(facts)
        total = len({mention.text for mention in find_mentions(facts.trace)})
        return exercises.choose_number(
            facts,
            len(invented),
            (0, total + 3),
            total,
            0,
            invented=[f"“{text}”" for text in invented],
            told=total,
            query=facts.request.query_str,
            response=" ".join((facts.trace.response or "").split()),
        )
