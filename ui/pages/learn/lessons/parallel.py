"""Lessons on calls that are sent together: the levels of a tree, and lists of answers."""

from dataclasses import replace
from random import Random

from typing_extensions import override

from synth.llms import LLM
from synth.prompts.window import PARAGRAPH
from synth.text.spans import Text
from synth.text.splitter import TokenTextSplitter
from synth.text.tokens import get_tokenizer
from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, sums
from ui.pages.learn.lessons.lesson import (
    Control,
    Lesson,
    LessonFacts,
    Solution,
    Sum,
    SumLine,
    planned,
)
from ui.settings.request import Request

_SUMMARIZE = "Summarize the main points."


class Tree(Lesson):
    """Three levels deep: summaries of summaries."""

    key = "tree"
    control = Control("context_window", "Context window", tuple(range(170, 481, 10)))

    def _request(self, chance: Random, seed: int) -> Request:
        chunks = (*exercises.BRIDGE.chunks, *exercises.LIGHTHOUSE.chunks)
        return exercises.request_of(
            "tree_summarize",
            _SUMMARIZE,
            exercises.sample(chance, chunks, 6, 16),
            context_window=chance.randrange(170, 231, 10),
            num_output=chance.choice((24, 32, 40)),
        )

    def _claim(self, facts: LessonFacts) -> bool:
        ended = facts.trace.response is not None and facts.high.longest_chain == 3
        return ended and sums.calls_per_level(facts.high) == sums.calls_per_level(facts.trace)

    def _solve(self, facts: LessonFacts) -> Solution:
        request = facts.request
        calls = facts.calls
        levels, room_sum = (sums.calls_per_level(facts.high), sums.room_sum(facts.request))
        counts = sums.added(((f"level {at}", count) for at, count in enumerate(levels)), "calls")
        answers = [sums.answers_sum(facts, level) for level in range(1, len(levels))]
        shift = request.context_window // 10 + facts.chunks
        return Solution(
            calls,
            exercises.numbers(calls, (1, calls + 5), shift, levels[0]),
            (room_sum, *answers, counts),
            names={"levels": levels},
        )


class Endless(Lesson):
    """Never ends: answers that are as long as the text they summarize."""

    key = "endless"
    control = Control("num_output", "Answer length (num_output)", tuple(range(24, 145, 8)))

    @override
    def llm(self, request: Request) -> LLM:
        """Return a model that repeats what it reads until num_output is used up."""
        count = get_tokenizer(request.tokenizer).count
        splitter = TokenTextSplitter(request.num_output, 0, tokenizer=request.tokenizer)

        def script(existing: str, context: str) -> str:
            times = 1 + request.num_output // max(count(context), 1)
            return splitter.split_text(" ".join([context] * times))[0]

        return exercises.ScriptedLLM(script, request)

    def _request(self, chance: Random, seed: int) -> Request:
        source = chance.choice((exercises.BRIDGE, exercises.LIGHTHOUSE))
        return exercises.request_of(
            "tree_summarize",
            _SUMMARIZE,
            exercises.sample(chance, source.chunks, 4, 9),
            context_window=256,
            num_output=chance.randrange(80, 145, 8),
        )

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
        texts = sums.texts_of_answers(facts.request, answers)
        return sums.calls_per_level(shortest)[0] > 1 and len(texts) >= len(answers)

    def _solve(self, facts: LessonFacts) -> Solution:
        request = facts.request
        plan = facts.high
        answers = self._answers(facts)
        texts = sums.texts_of_answers(request, answers)
        calls, above = len(answers), len(texts)
        read = _answers_to_read(facts, list(map(str, answers)))
        amounts = (("calls that level 1 needs", above), ("calls that level 0 made", calls))
        more, fewer = amounts if above >= calls else amounts[::-1]
        compared = sums.difference(more, fewer, "more calls" if above >= calls else "fewer calls")
        shift = request.num_output // 8 + calls
        return Solution(
            above,
            exercises.numbers(above, (1, 2 * above + 3), shift, 1, calls),
            (sums.room_sum(request), read, _sent_again(facts, read[-1], texts), compared),
            names={"made": calls, "ends": plan.problem is None, "levels": plan.longest_chain},
        )


def _answers_to_read(facts: LessonFacts, answers: list[str]) -> Sum:
    """Return the tokens of the answers of level 0, alone and joined."""
    alone, joined = (sum(map(facts.tokens, answers)), facts.tokens(PARAGRAPH.join(answers)))
    return (
        SumLine("", f"{counted(len(answers), 'answer')} of level 0", alone),
        SumLine("+" if joined >= alone else "−", "by the blank lines", abs(joined - alone)),
        SumLine("=", "tokens for level 1 to read", joined),
    )


def _sent_again(facts: LessonFacts, read: SumLine, texts: list[Text]) -> Sum:
    """Return the tokens of the texts that level 1 would send, which repeat some of those read."""
    sent = sum(facts.tokens(str(text)) for text in texts)
    again = sent - read.amount
    return (
        replace(read, sign=""),
        SumLine("+" if again >= 0 else "−", "sent again, by the overlap", abs(again)),
        SumLine("=", f"tokens in {counted(len(texts), 'text')} of level 1", sent),
    )


class AnswersInAList(Lesson):
    """Accumulate: the same question for every chunk, and a list of answers."""

    key = "accumulate"
    control = Control("context_window", "Context window", tuple(range(128, 257, 8)))

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
        calls = facts.calls
        chunks = facts.chunks
        tokens = sums.chunk_tokens(facts)
        parts = (*sums.calls_per_chunk(facts), SumLine("=", "calls, and as many answers", calls))
        return Solution(
            calls,
            exercises.numbers(calls, (1, calls + chunks), max(tokens), 1, chunks),
            (sums.room_sum(facts.request), parts),
        )
