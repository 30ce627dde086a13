"""Lessons on what is in one call: the window, the modes, tokens, variables, what is cached."""

from dataclasses import replace
from random import Random

from typing_extensions import override

from synth.prompts.templates import DEFAULTS
from synth.runs.prefixes import plan_in_order
from synth.runs.prices import find_rule
from synth.runs.trace import Plan
from synth.text.model_tokenizers import get_tokenizer
from ui.pages.learn.lessons import exercises
from ui.pages.learn.lessons.exercises import (
    Lesson,
    LessonFacts,
    Solution,
    planned,
    value_of,
)
from ui.settings.request import Request


class Why(exercises.DrawnLesson):
    """Why there is a budget: the chunks share the window with much else."""

    key = "why"

    def _claim(self, facts: LessonFacts) -> bool:
        [call] = facts.high.calls
        budget = facts.high.budget(call)
        room = exercises.parts_of(facts.request)[exercises.ROOM]
        return budget.parts["context"] + budget.free == room and budget.free > 0

    def _solve(self, facts: LessonFacts) -> Solution:
        parts = exercises.parts_of(facts.request)
        window, answer_room = facts.request.context_window, facts.request.num_output
        answer = parts[exercises.ROOM]
        chunks = sum(chunk.tokens for chunk in facts.high.coverage)
        likely = [
            (window - answer_room, "that forgets the template and the question"),
            (answer - chunks, "that also subtracts the chunks, which this room is for"),
            (window - parts["template"] - parts["query"], "that forgets the answer"),
            (answer - answer_room, "that subtracts the answer twice"),
            (window, "that forgets everything except the chunks"),
        ]
        return exercises.choose_mistake(answer, "room", likely, (window + answer_room) // 8)


PACKING = ("compact", "tree_summarize", "compact_accumulate")


class Fits(exercises.DrawnLesson):
    """It all fits: modes that pack, and modes that ask chunk by chunk."""

    key = "fits"

    def _claim(self, facts: LessonFacts) -> bool:
        return facts.call_counts == {1 if facts.request.mode in PACKING else facts.chunks}

    def _solve(self, facts: LessonFacts) -> Solution:
        calls, chunks = facts.calls, facts.chunks
        packs = facts.request.mode in PACKING
        return exercises.choose_number(facts, calls, (1, chunks + 1), 1, chunks, packs=packs)


_NOTES = exercises.chunks_of("notes")  # English, Chinese, English, Chinese, ...


class Tokens(Lesson):
    """Tokens in Chinese and emoji: the same note, counted in two languages."""

    key = "tokens"

    def _request(self, chance: Random, seed: int) -> Request:
        notes = chance.sample(range(0, len(_NOTES), 2), chance.randint(1, 2))
        chunks = tuple(" ".join(_NOTES[note + chinese] for note in notes) for chinese in (0, 1))
        limits = {"context_window": 512, "num_output": chance.choice((96, 128))}
        return exercises.request_of("accumulate", "What does the note say?", chunks, **limits)

    def _claim(self, facts: LessonFacts) -> bool:
        first, second = facts.request.text_chunks
        english, chinese = exercises.chunk_tokens(facts)
        shorter = len(second) < len(first)
        return shorter and chinese > english and facts.trace.call_count == facts.chunks

    def _solve(self, facts: LessonFacts) -> Solution:
        first, second = facts.request.text_chunks
        english, chinese = exercises.chunk_tokens(facts)
        [other] = {*self.control.values} - {facts.request.tokenizer}
        likely = [
            (english, "that is the number for the English note"),
            (get_tokenizer(other).count(second), f"that is the number with {other}"),
            (len(second) // 4, "one token for four characters is a rule of thumb for English only"),
            (len(second) * 2, "that would be two tokens for every character"),
            (len(second) * 3, "that would be three tokens for every character"),
        ]
        return exercises.choose_mistake(
            chinese,
            "chunk tokens",
            likely,
            len(second),
            letters=(len(first), len(second)),
            english=english,
            tokenizer=facts.request.tokenizer,
        )


_NAME = "tone_name"


def _toned(name: str) -> str:
    """Return a default template that also asks for a tone."""
    text = DEFAULTS[name].template
    return text.removesuffix("Answer: ") + f"Write it in the tone of {{{_NAME}}}.\nAnswer: "


_TEMPLATES = tuple((name, (("user", _toned(name)),)) for name in DEFAULTS)


class Variable(Lesson):
    """The Shakespeare variable: the cost of a custom variable in a template."""

    key = "variable"

    def _request(self, chance: Random, seed: int) -> Request:
        tones = self.control.values
        return exercises.request_of(
            "compact",
            exercises.KEEPERS.question,
            exercises.sample(chance, exercises.KEEPERS.chunks, 4, 7),
            context_window=chance.randrange(280, 361, 10),
            num_output=48,
            templates=_TEMPLATES,
            variables=((_NAME, chance.choice(tones) if seed else tones[0]),),
        )

    def _claim(self, facts: LessonFacts) -> bool:
        spent = [facts.high.budget(call).parts["variable"] for call in facts.high.calls]
        paid = spent == [facts.tokens(dict(facts.request.variables)[_NAME])] * facts.calls
        return paid and facts.calls > 1 and len(facts.call_counts) == 1

    def _solve(self, facts: LessonFacts) -> Solution:
        value = dict(facts.request.variables)[_NAME]
        tokens = facts.tokens(value)
        cost, of_chunks = tokens * facts.calls, tokens * facts.chunks
        bounds = 1, cost + 99
        return exercises.choose_number(
            facts, cost, bounds, tokens, of_chunks, value=value, tokens=tokens
        )


_RULE = find_rule("openai")
_FIRST = exercises.POST_MORTEM.question


def _plan_first(request: Request) -> Plan:
    """Plan the first question about the chunks, whose prompt a server has read."""
    return planned(replace(request, query_str=_FIRST), request.num_output)


class Prefix(exercises.DrawnLesson):
    """The order of a prompt: what a server has read before of a second question's prompt."""

    key = "prefix"

    @override
    def facts(self, request: Request) -> LessonFacts:
        """Return the facts of the second question, with what is cached in its plan."""
        facts = super().facts(request)
        _, second = plan_in_order((_plan_first(request), facts.high), _RULE)
        return replace(facts, high=second)

    def _claim(self, facts: LessonFacts) -> bool:
        """Hold that the chunks decide, and not the few words of the template before them."""
        chunks = _RULE.whole_steps(sum(exercises.chunk_tokens(facts)))
        is_behind = value_of(facts.request, self.control) == self.control.values[0]
        cached = facts.high.cached_tokens
        return facts.call_counts == {1} and chunks > 0 and cached == (chunks if is_behind else 0)

    def _solve(self, facts: LessonFacts) -> Solution:
        shared = exercises.count_shared_tokens(_plan_first(facts.request), facts.high)
        answer, chunks = facts.high.cached_tokens or 0, sum(exercises.chunk_tokens(facts))
        mistakes = {
            0: "both prompts are alike up to the question, which stands last",
            _RULE.whole_steps(chunks): "the prompts differ before the chunks",
            chunks: "chunks are not cached by themselves, only with all that stands before them",
            shared: "that is how far both prompts are alike, but only whole steps are cached",
            facts.high.prompt_tokens: "no prompt before has this question",
        }
        names = {
            "first": _FIRST,
            "second": facts.request.query_str,
            "place": value_of(facts.request, self.control),
            "prompt": facts.high.prompt_tokens,
            "shared": shared,
            "rule": _RULE,
            "mistakes": mistakes,
        }
        return Solution(answer, tuple(sorted({answer, *mistakes})), names=names)
