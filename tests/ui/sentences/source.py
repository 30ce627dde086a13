"""Where the numbers of the pages come from: counted anew, from settings and a trace alone.

Calls are counted one by one and texts by plain tiktoken; nothing here asks what a page asks.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Any

from synth.modes.advice.choice import SHORT
from synth.modes.registry import MODES
from synth.prompts.packing import JOINT
from synth.quality import Fact, Follower
from synth.runs.bounds import Bounds
from synth.runs.trace import Plan, Trace
from synth.text.words import count_words
from synth.words.provenance import count_quoted, matches
from tests import plain
from ui.settings.expected import facts_of
from ui.settings.request import Request
from ui.settings.schema import CARD_MODES, Settings

Quantity = tuple[Any, ...]
"""The name of a method of `Source`, and what it is asked for."""


def unsent(run: Plan | Trace) -> Iterator[str]:
    """The stretches of chunks that stand in no call; white space alone is none."""
    for number, chunk in enumerate(run.setup.chunks, 1):
        sent = bytearray(len(chunk))
        for origin in (origin for call in run.calls for origin in call.origins):
            if (origin.kind, origin.number) == ("chunk", number):
                sent[origin.start : origin.end] = b"\1" * (origin.end - origin.start)
        for covered, stretch in groupby(range(len(chunk)), key=sent.__getitem__):
            text = "".join(chunk[at] for at in stretch)
            if not covered and text.strip():
                yield text


@dataclass(eq=False)
class Source:
    """All quantities: of the settings, of plans and bounds, and of the run if there was one."""

    settings: Settings
    trace: Trace | None = None
    plans: dict[Any, Plan] = field(default_factory=dict)

    def value(self, quantity: Quantity) -> float:
        name, *arguments = quantity
        found: float = getattr(self, name)(*arguments)
        return found

    # What was entered.

    def setting(self, name: str) -> int:
        return int(getattr(self.settings, name))

    def constant(self, number: int) -> int:
        return number

    def chunks(self) -> int:
        return sum(chunk.on for chunk in self.settings.chunks)

    def chunk_tokens(self) -> int:
        return sum(self._count(chunk.text) for chunk in self.settings.chunks if chunk.on)

    def sent_chunks(self) -> int:
        return len(self.request(self.settings.mode).text_chunks)

    def sent_chunk_tokens(self) -> int:
        return sum(map(self._count, self.request(self.settings.mode).text_chunks))

    def template_tokens(self) -> int:
        """Of the template that the editor shows first, without its variables."""
        shown = MODES[self.settings.mode].templates[0]
        [*messages] = self.settings.messages(shown)
        return sum(self._count(re.sub(r"\{\w+\}", "", text)) for _, text in messages)

    def more_modes(self) -> int:
        return len(MODES.keys() - {*CARD_MODES, self.settings.mode})

    def longest_answer(self) -> int:
        """Of an answer for which refine keeps room, with what it may count more in its place."""
        return self.settings.num_output + JOINT

    # How they are made.

    def request(self, mode: str) -> Request:
        return Request.of(self.settings.with_({"mode": mode}))

    def plan(self, mode: str, how: str) -> Plan:
        key = (mode, how)
        if key not in self.plans:
            request = self.request(mode)
            self.plans[key] = request.synthesizer().plan(
                request.query_str,
                request.text_chunks,
                answer_tokens=self._answer(how),
            )
        return self.plans[key]

    def bounds(self, mode: str) -> Bounds:
        request = self.request(mode)
        return request.synthesizer().bounds(request.query_str, request.text_chunks)

    def _percent(self, part: int, whole: int) -> int:
        """A share of something, but never of nothing, is 1 % or more; less than all is 99."""
        share = round(100 * part / whole)
        return share if part in (0, whole) else min(max(share, 1), 99)

    def _answer(self, how: str) -> int:
        most = self.settings.num_output
        return most if how == "long" else min(SHORT, most)

    def _count(self, text: str) -> int:
        return plain.count(text, self._encoding)

    @property
    def _encoding(self) -> str:
        return self.settings.tokenizer or "cl100k_base"

    # What would happen. `how` is "short" or "long": the length of the answers.

    def calls(self, mode: str, how: str) -> int:
        return len(self.plan(mode, how).calls)

    def calls_otherwise(self) -> int:
        """With long answers, by the behaviour that is not chosen."""
        [other] = {"documented", "llama_index"} - {self.settings.behaviour}
        changed = replace(self, settings=self.settings.with_({"behaviour": other}), plans={})
        return changed.calls(self.settings.mode, "long")

    def levels(self, mode: str, how: str) -> int:
        return len({call.depth for call in self.plan(mode, how).calls})

    def prompt_tokens(self, mode: str, how: str) -> int:
        return sum(self._count(call.prompt.text) for call in self.plan(mode, how).calls)

    def output_tokens(self, mode: str, how: str) -> int:
        return self.calls(mode, how) * self._answer(how)

    def lost_tokens(self, mode: str) -> int:
        return sum(map(self._count, unsent(self.plan(mode, "long"))))

    def whole_tokens(self, mode: str) -> int:
        return sum(map(self._count, self.request(mode).text_chunks))

    def lost_percent(self, mode: str) -> int:
        return self._percent(self.lost_tokens(mode), self.whole_tokens(mode))

    def template(self, mode: str, tokens: int, answer: int = 0) -> int:
        """The number, if a template has so many tokens with the question and an answer."""
        filled = [
            re.sub(r"\{\w+\}", "", text.replace("{query_str}", question))
            for name in MODES[mode].templates
            for _, text in self.settings.messages(name)
            for question in (self.settings.query_str, "")  # llama-index-core counts without it
        ]
        return tokens if tokens - answer in map(self._count, filled) else 0

    def too_much(self, *parts: int) -> int:
        return sum(parts) - self.settings.context_window

    def left(self, *parts: int) -> int:
        rest = self.settings.context_window - self.settings.num_output - sum(parts)
        return max(rest, 0)

    # The least and the most, whatever the answers say; tests of `synth` hold these to runs.

    def least_calls(self, mode: str) -> float:
        return self.bounds(mode).calls.low

    def most_calls(self, mode: str) -> float:
        return self.bounds(mode).calls.high

    def most_prompt_tokens(self, mode: str) -> float:
        return self.bounds(mode).prompt_tokens.high

    def most_output_tokens(self, mode: str) -> float:
        return self.bounds(mode).output_tokens.high

    def most_tokens(self, mode: str) -> float:
        return self.most_prompt_tokens(mode) + self.most_output_tokens(mode)

    # What happened.

    def made(self) -> int:
        return len([call for call in self.ended.calls if call.answer is not None])

    def read(self) -> int:
        return sum(self._count(call.prompt.text) for call in self.ended.calls)

    def written(self) -> int:
        return sum(self._count(call.answer or "") for call in self.ended.calls)

    def unsent(self) -> int:
        return sum(map(self._count, unsent(self.ended)))

    def facts(self) -> int:
        return len(self._facts)

    def held(self) -> int:
        return self._arrived(self._facts)

    def needed(self) -> int:
        return len([fact for fact in self._facts if fact.must])

    def needed_held(self) -> int:
        return self._arrived([fact for fact in self._facts if fact.must])

    def words(self) -> int:
        return count_words(self.answer)

    def quoted_words(self) -> int:
        return sum(self._quoted.values())

    def quoted(self) -> int:
        return len(self._quoted)

    def words_of_chunk(self, number: int) -> int:
        return self._quoted.get(number, 0)

    def not_quoted(self, number: int) -> int:
        return 0 if number in self._quoted else number

    def place_in_list(self, number: int) -> int:
        return self.request(self.settings.mode).positions[number - 1] + 1

    def of_call(self, call: int, number: int) -> int:
        """The number, if it is that of the call, or of a chunk or an answer in its prompt."""
        origins = {origin.number for origin in self.ended.calls[call - 1].origins}
        return number if number in {call, *origins} else 0

    def answer_tokens(self, call: int) -> int:
        return self._count(self.ended.calls[call - 1].answer or "")

    @property
    def answer(self) -> str:
        return self.ended.response or ""

    @cached_property
    def _facts(self) -> Sequence[Fact]:
        return facts_of(self.settings.query_str)[0]

    def _arrived(self, facts: Sequence[Fact]) -> int:
        follower = Follower(self.ended, [chunk.text for chunk in self.settings.chunks])
        return [follower.path(fact).stage for fact in facts].count("answered")

    @cached_property
    def _quoted(self) -> dict[int, int]:
        return count_quoted(self.answer, matches(self.answer, self.ended.setup.chunks))

    @property
    def ended(self) -> Trace:
        assert self.trace is not None
        return self.trace
