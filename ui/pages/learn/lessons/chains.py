"""Lessons on refine, whose calls hand an answer on: what waits, what stays, what is dropped."""

import re
from random import Random

from typing_extensions import override

from synth.llms import LLM
from synth.text.words_and_sentences import paragraphs
from ui.pages.learn.lessons import exercises
from ui.pages.learn.lessons.exercises import (
    Lesson,
    LessonFacts,
    Solution,
    with_value,
)
from ui.settings.request import Request

_CHANGES = [tuple(line.split("|")) for line in exercises.lines_of("changes")[0]]
"""A word of a chunk, what each later answer says of it, and what only the next answer adds."""

_CHANGED = tuple(
    chunk for chunk in exercises.LIGHTHOUSE.chunks if any(word in chunk for word, _, _ in _CHANGES)
)


class RefineByStep(Lesson):
    """Refine, step by step: a chain in which every call except the first waits."""

    key = "refine"

    @override
    def llm(self, request: Request) -> LLM:
        """Return a model that shortens the answer so far and adds what is new in the chunk."""

        def script(existing: str, context: str) -> str:
            known = [short for _, short, _ in _CHANGES if short in existing]
            new = [one for one in _CHANGES if one[0] in context and one[1] not in existing]
            if existing and not new:
                return existing
            all_changes = ", then ".join([*known, *(short for _, short, _ in new)])
            return f"First came {all_changes}{''.join(more for _, _, more in new[-1:])}."

        return exercises.ScriptedLLM(script, request)

    def _request(self, chance: Random, seed: int) -> Request:
        chunks = exercises.sample(chance, _CHANGED, 3, 7)
        return exercises.request_of(
            "refine", exercises.LIGHTHOUSE.question, chunks, context_window=320, num_output=48
        )

    def _claim(self, facts: LessonFacts) -> bool:
        answers = {call.answer for call in facts.trace.calls}
        counts = {facts.calls, facts.trace.call_count, facts.trace.longest_chain}
        return counts == {facts.chunks} == {len(answers)}

    def _solve(self, facts: LessonFacts) -> Solution:
        waiting = sum(call.depth > 0 for call in facts.high.calls)
        return exercises.choose_number(facts, waiting, (0, facts.calls + 2), facts.chunks, 0)


_WHO = "Which keepers tended the light on Skarholm?"
_NAMES, _SERVED, _ASIDES = exercises.lines_of("keepers")


class Forgets(Lesson):
    """Refine forgets: an answer has little room, and new text pushes older text out."""

    key = "forgets"

    def _request(self, chance: Random, seed: int) -> Request:
        names = chance.sample(_NAMES, chance.randint(5, 7))
        chunks = tuple(
            f"{chance.choice(_SERVED).format(name=name)} {chance.choice(_ASIDES)}" for name in names
        )
        answer = chance.choice((64, 72, 80))
        return exercises.request_of("refine", _WHO, chunks, context_window=400, num_output=answer)

    def _quoted(self, facts: LessonFacts) -> list[set[int]]:
        """Return the chunks whose keeper the answer to each call names."""
        # The first of each chunk names its keeper; another may be in two chunks.
        chunks = enumerate(facts.request.text_chunks, 1)
        sentences = [(number, paragraphs(chunk)[0][0]) for number, chunk in chunks]
        return [
            {number for number, sentence in sentences if sentence in (call.answer or "")}
            for call in facts.trace.calls
        ]

    def _claim(self, facts: LessonFacts) -> bool:
        quoted = self._quoted(facts)
        forgotten = bool(set().union(*quoted) - quoted[-1])
        return forgotten and len(quoted) == facts.chunks and len(quoted[-1]) > 1

    def _solve(self, facts: LessonFacts) -> Solution:
        quoted, chunks = self._quoted(facts), facts.chunks
        last, lost = len(quoted[-1]), len(set().union(*quoted) - quoted[-1])
        return exercises.choose_number(
            facts, last, (1, chunks), chunks, quoted=sorted(quoted[-1]), lost=lost
        )


_WHEN = "When does the last ferry to Skarholm leave?"
_TIMES, _SOURCES, _BESIDES = exercises.lines_of("ferry")
_TIME = re.compile(r"\d\d:\d\d")
_SOURCE = re.compile("|".join(_SOURCES), re.IGNORECASE)


class Contradiction(Lesson):
    """Contradicting sources: the order of the chunks decides."""

    key = "order"

    @override
    def llm(self, request: Request) -> LLM:
        """Return a model that believes the source it reads last, and mentions the one before."""

        def script(existing: str, context: str) -> str:
            source = _SOURCE.findall(context)[0].lower()
            answer = f"At {_TIME.findall(context)[0]}, says the {source}."
            if not existing:
                return answer
            time, source = _TIME.findall(existing)[0], _SOURCE.findall(existing)[0]
            return f"{answer} Earlier, the {source} said {time}."

        return exercises.ScriptedLLM(script, request)

    def _request(self, chance: Random, seed: int) -> Request:
        """Make five sources, two of which agree."""
        one, two, three, four = chance.sample(_TIMES, 4)
        times = chance.sample((one, one, two, three, four), 5)
        sources = chance.sample(_SOURCES, 5)
        chunks = tuple(
            f"{source}: the last ferry to Skarholm leaves the pier at {time}."
            f" {chance.choice(_BESIDES)}"
            for source, time in zip(sources, times, strict=True)
        )
        return exercises.request_of("refine", _WHEN, chunks, context_window=256, num_output=32)

    def _times(self, facts: LessonFacts) -> list[str]:
        return [_TIME.findall(chunk)[0] for chunk in facts.request.text_chunks]

    def _final(self, facts: LessonFacts) -> str:
        """Return the time that the final answer gives first, which is the one that it believes."""
        return str(_TIME.findall(facts.trace.response or "")[0])

    def _claim(self, facts: LessonFacts) -> bool:
        other = self.facts(with_value(facts.request, self.control, "reversed"))
        changes = exercises.answers_change(facts.trace) and exercises.answers_change(other.trace)
        final, final_of_other = self._final(facts), self._final(other)
        believed = final == self._times(facts)[-1] and final_of_other == self._times(other)[-1]
        return changes and believed and final != final_of_other

    def _solve(self, facts: LessonFacts) -> Solution:
        times, final = self._times(facts), self._final(facts)
        places: dict[str, list[int]] = {time: [] for time in sorted(times)}
        for number, time in enumerate(times, 1):
            places[time].append(number)
        agree, most = len(places[final]), max(map(len, places.values()))
        names = {"saying": places, "agree": agree, "most": most}
        return Solution(final, tuple(places), names=names)


_BEES, _OTHERS = exercises.chunks_of("bees"), exercises.chunks_of("mail")


class Filtering(Lesson):
    """Structured filtering: the model itself says whether a chunk answers the question."""

    key = "filtering"

    def _request(self, chance: Random, seed: int) -> Request:
        """Mix chunks about bees with some about something else, as a poor retriever does."""
        chunks = [*exercises.sample(chance, _BEES, 2, 4), *exercises.sample(chance, _OTHERS, 1, 4)]
        chance.shuffle(chunks)
        return exercises.request_of(
            "refine",
            "How do honeybees survive the winter?",
            tuple(chunks),
            context_window=512,
            num_output=96,
            structured_answer_filtering=True,
        )

    def _dropped(self, facts: LessonFacts) -> list[int]:
        calls = [call for call in facts.trace.calls if not call.satisfied]
        return [exercises.context(call).origins[0].number for call in calls]

    def _claim(self, facts: LessonFacts) -> bool:
        useless = [n for n, chunk in enumerate(facts.request.text_chunks, 1) if chunk in _OTHERS]
        everything = facts.trace.call_count == facts.chunks
        return everything and self._dropped(facts) == useless and bool(useless)

    def _solve(self, facts: LessonFacts) -> Solution:
        chunks, dropped = facts.chunks, self._dropped(facts)
        on = facts.request.structured_answer_filtering
        return exercises.choose_number(
            facts, len(dropped), (0, chunks), chunks, dropped=dropped, on=on
        )
