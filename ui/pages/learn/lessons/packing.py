"""Lessons on chunks that are packed into calls: how many, on which levels, what is cut off."""

from dataclasses import replace
from random import Random

from typing_extensions import override

from synth.llms import LLM
from synth.text.model_tokenizers import get_tokenizer
from synth.text.spans import Text
from synth.text.splitter import TokenTextSplitter
from ui.pages.learn.lessons import exercises
from ui.pages.learn.lessons.exercises import Lesson, LessonFacts, Solution, calls_of, planned
from ui.settings.request import Request


def _choose_calls(facts: LessonFacts, most: int, *traps: int, **names: object) -> Solution:
    missed = exercises.missed_calls(facts.high)
    return exercises.choose_number(facts, facts.calls, (1, most), *traps, missed=missed, **names)


class OneTokenMore(Lesson):
    """One token too many: a little text can cost a whole call."""

    key = "cliff"

    def _request(self, chance: Random, seed: int) -> Request:
        """Make an input whose window is just too small for some number of calls."""
        chunks = exercises.sample(chance, exercises.KEEPERS.chunks, 5, 8)
        request = exercises.request_of(
            "compact", exercises.KEEPERS.question, chunks, context_window=0, num_output=48
        )
        calls = chance.choice((1, 2, 2, 3)) if seed else 2
        return replace(request, context_window=self._enough(request, calls) - 1)

    def _claim(self, facts: LessonFacts) -> bool:
        is_filled = facts.calls == facts.trace.call_count == exercises.least_calls(facts)
        wider = facts.request.context_window + 1
        saves = calls_of(facts.request, context_window=wider) == facts.calls - 1
        return is_filled and saves and exercises.answers_change(facts.trace)

    def _solve(self, facts: LessonFacts) -> Solution:
        more = self._tokens_to_save(facts.request, facts.calls)
        return _choose_calls(facts, facts.chunks + 1, facts.chunks, more=more)

    def _enough(self, request: Request, calls: int) -> int:
        """Return the smallest window but the first for so many calls; the largest if none is."""
        few = self.control.values[-1]
        many = self.control.values[0]
        while few - many > 1:
            middle = (few + many) // 2
            if calls_of(request, context_window=middle) > calls:
                many = middle
            else:
                few = middle
        return int(few)

    def _tokens_to_save(self, request: Request, calls: int) -> int:
        """Return by how much a window must be larger to save a call; 0 if none can."""
        if calls == 1:
            return 0
        enough = self._enough(request, calls - 1)
        windows = range(enough - 1, enough + 40)  # larger ones may need a call more again
        last = max(size for size in windows if calls_of(request, context_window=size) >= calls)
        return last + 1 - request.context_window


class Compact(exercises.DrawnLesson):
    """Compact: packing saves calls, and overlap costs tokens."""

    key = "compact"

    def _claim(self, facts: LessonFacts) -> bool:
        is_filled = facts.call_counts == {exercises.least_calls(facts)}
        saves = 1 < facts.calls < calls_of(facts.request, mode="refine") / 2
        changes = len({call.answer for call in facts.trace.calls}) > 1
        return is_filled and saves and changes and exercises.answers_change(facts.trace)

    def _solve(self, facts: LessonFacts) -> Solution:
        refining = calls_of(facts.request, mode="refine")
        repeated = sum(chunk.repeated_tokens for chunk in facts.high.coverage)
        return _choose_calls(facts, refining, refining, refining=refining, repeated=repeated)


class Against(exercises.DrawnLesson):
    """Compact against refine: the same chunks, and what the second call of each reads."""

    key = "against"

    def _both(self, facts: LessonFacts) -> list[LessonFacts]:
        return [self.facts(replace(facts.request, mode=mode)) for mode in self.control.values]

    def _claim(self, facts: LessonFacts) -> bool:
        refine, compact = self._both(facts)
        is_filled = compact.call_counts == {exercises.least_calls(compact)}
        return is_filled and refine.call_counts == {facts.chunks} and compact.calls > 1

    def _solve(self, facts: LessonFacts) -> Solution:
        refine, compact = self._both(facts)
        packed = exercises.choose_number(
            facts, compact.calls, (1, refine.calls), refine.calls
        ).choices
        guesses = [(refine.calls, calls) for calls in packed] + [(compact.calls, compact.calls)]
        second = facts.high.calls[1]
        return Solution(
            f"refine {refine.calls}, compact {compact.calls}",
            tuple(sorted(f"refine {first}, compact {other}" for first, other in guesses)),
            names={
                "packed": compact.calls,
                "numbers": sorted({origin.number for origin in exercises.context(second).origins}),
                "reads": second.prompt_tokens,
            },
        )


class Lost(Lesson):
    """The lost last chunk: simple_summarize cuts off what does not fit."""

    key = "lost"

    def _request(self, chance: Random, seed: int) -> Request:
        *others, last = exercises.BRIDGE.chunks
        return exercises.request_of(
            "simple_summarize",
            exercises.BRIDGE.question,
            (*exercises.sample(chance, tuple(others), 4, 7), last),
            context_window=chance.randrange(200, 401, 10),
            num_output=64,
        )

    def _claim(self, facts: LessonFacts) -> bool:
        unsent = not any(part.calls for part in facts.trace.coverage[-1].stretches)
        told = "recommends" in (facts.trace.response or "")
        return unsent and self._whole(facts) > 0 and not told

    def _whole(self, facts: LessonFacts) -> int:
        return sum(not chunk.lost for chunk in facts.high.coverage)

    def _solve(self, facts: LessonFacts) -> Solution:
        whole, chunks = self._whole(facts), facts.chunks
        cut = facts.high.coverage[min(whole, chunks - 1)]
        return exercises.choose_number(
            facts, whole, (0, chunks), chunks, lost=facts.high.lost_tokens, cut=cut
        )


class Upstream(exercises.DrawnLesson):
    """What LlamaIndex really does: a fixed padding that takes most of a small window."""

    key = "upstream"

    def _claim(self, facts: LessonFacts) -> bool:
        ours, package = (calls_of(facts.request, behaviour=name) for name in self.control.values)
        is_filled = facts.call_counts == {exercises.least_calls(facts)}
        return is_filled and facts.calls == package > ours

    def _solve(self, facts: LessonFacts) -> Solution:
        ours = calls_of(facts.request, behaviour="documented")
        return _choose_calls(
            facts,
            facts.chunks + 1,
            ours,
            facts.chunks,
            documented=facts.request.behaviour == "documented",
            ours=ours,
            margin=exercises.parts_of(facts.request)["padding"],
        )


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
