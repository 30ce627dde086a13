"""Lessons with answers of a real, very small model: one that stays, and one that is invented."""

from itertools import pairwise, permutations, product
from random import Random

from typing_extensions import override

from synth.llms import LLM
from synth.quality.support import find_mentions, find_unfounded
from synth.text.diff import word_diff
from ui.pages.learn.lessons import exercises, recording
from ui.pages.learn.lessons.lesson import Control, Lesson, LessonFacts, Solution
from ui.settings.request import Request

_CAUSE = "8 instead of 80"
[_ROOT] = [chunk for chunk in exercises.POST_MORTEM.chunks if _CAUSE in chunk]
*_OTHERS, _WEAKEST = exercises.POST_MORTEM.chunks[4:8]

ORDERS = tuple(
    exercises.request_of(
        "refine",
        "Which setting was wrong?",
        (*others, *last, _ROOT),
        context_window=512,
        num_output=recording.NUM_OUTPUT,
    )
    for others in permutations(_OTHERS)
    for last in ((), (_WEAKEST,))
)
"""Chunks of a report in some order, and the one that tells the cause as the last."""


class Anchors(Lesson):
    """A first answer that stays: the model reads the cause last, and does not tell it."""

    key = "anchors"
    control = Control("order", "Order of the chunks", ("as given", "reversed"))

    @override
    def llm(self, request: Request) -> LLM:
        return recording.recorded(request)

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
    exercises.request_of(
        "compact", query, (chunk,), context_window=400, num_output=recording.NUM_OUTPUT
    )
    for chunk, query in product(exercises.POST_MORTEM.chunks[:8], _QUESTIONS)
)
"""A chunk of the report and a question; most of these chunks don't answer it."""


class Invented(Lesson):
    """Stands in no chunk: what a model makes up, and what a search for it can find."""

    key = "invented"
    control = Control("query_str", "Question", _QUESTIONS)

    @override
    def llm(self, request: Request) -> LLM:
        return recording.recorded(request)

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
        count = len(invented)
        return Solution(
            count,
            exercises.numbers_beside(facts, count, (0, total + 3), total, 0),
            names={
                "invented": [f"“{text}”" for text in invented],
                "told": total,
                "query": facts.request.query_str,
                "response": " ".join((facts.trace.response or "").split()),
            },
        )
