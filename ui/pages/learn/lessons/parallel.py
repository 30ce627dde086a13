"""Lessons on calls that are sent together: the levels of a tree, and lists of answers."""

from dataclasses import replace
from random import Random

from typing_extensions import override

from synth.llms import LLM
from synth.text.spans import Text
from synth.text.splitter import TokenTextSplitter
from synth.text.tokens import get_tokenizer
from ui.pages.learn.lessons import exercises
from ui.pages.learn.lessons.lesson import Lesson, LessonFacts, Solution, planned
from ui.settings.request import Request


class Tree(exercises.DrawnLesson):
    """Three levels deep: summaries of summaries."""

    key = "tree"

    def _claim(self, facts: LessonFacts) -> bool:
        ended = facts.trace.response is not None and facts.high.longest_chain == 3
        return ended and exercises.calls_per_level(facts.high) == exercises.calls_per_level(
            facts.trace
        )

    def _solve(self, facts: LessonFacts) -> Solution:
        levels = exercises.calls_per_level(facts.high)
        return exercises.choose_number(
            facts, facts.calls, (1, facts.calls + 5), levels[0], levels=levels
        )


class Endless(exercises.DrawnLesson):
    """Never ends: answers that are as long as the text they summarize."""

    key = "endless"

    @override
    def llm(self, request: Request) -> LLM:
        """Return a model that repeats what it reads until num_output is used up."""
        count = get_tokenizer(request.tokenizer).count
        splitter = TokenTextSplitter(request.num_output, 0, tokenizer=request.tokenizer)

        def script(existing: str, context: str) -> str:
            times = 1 + request.num_output // max(count(context), 1)
            return splitter.split_text(" ".join([context] * times))[0]

        return exercises.ScriptedLLM(script, request)

    def _answers(self, facts: LessonFacts) -> list[Text]:
        """Return the answers of level 0, as the run gave them."""
        return [Text.of(call.answer or "") for call in facts.trace.calls if call.depth == 0]

    def _claim(self, facts: LessonFacts) -> bool:
        stopped = facts.trace.error_kind == "NotShrinking" and facts.high.problem is not None
        if not stopped or facts.high.longest_chain > 1 or facts.low.problem is not None:
            return False
        fewest = self.control.values[0]
        shortest = planned(replace(facts.request, num_output=fewest), fewest)
        answers = self._answers(facts)
        texts = exercises.texts_of_answers(facts.request, answers)
        return exercises.calls_per_level(shortest)[0] > 1 and len(texts) >= len(answers)

    def _solve(self, facts: LessonFacts) -> Solution:
        answers = self._answers(facts)
        made, above = len(answers), len(exercises.texts_of_answers(facts.request, answers))
        return exercises.choose_number(
            facts,
            above,
            (1, 2 * above + 3),
            1,
            made,
            made=made,
            ends=facts.high.problem is None,
            levels=facts.high.longest_chain,
        )


class AnswersInAList(Lesson):
    """Accumulate: the same question for every chunk, and a list of answers."""

    key = "accumulate"

    def _request(self, chance: Random, seed: int) -> Request:
        """Make chunks of which some are two paragraphs long."""
        paragraphs = list(exercises.sample(chance, exercises.LIGHTHOUSE.chunks, 5, 8))
        for index in sorted(chance.sample(range(3), chance.randint(1, 2))):
            paragraphs[index : index + 2] = [" ".join(paragraphs[index : index + 2])]
        return exercises.request_of(
            "accumulate",
            exercises.LIGHTHOUSE.question,
            tuple(paragraphs),
            context_window=chance.randrange(160, 201, 8),
            num_output=48,
        )

    def _claim(self, facts: LessonFacts) -> bool:
        listed = (facts.trace.response or "").count("Response ") == facts.calls
        return facts.calls > facts.chunks and listed and facts.trace.longest_chain == 1

    def _solve(self, facts: LessonFacts) -> Solution:
        calls, chunks = facts.calls, facts.chunks
        return exercises.choose_number(facts, calls, (1, calls + chunks), 1, chunks)
