"""Where the numbers of the pages come from: counted anew, from settings and a trace alone.

Calls are counted one by one and texts by plain tiktoken; nothing here asks what a page asks.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

from synth.errors import SynthError
from synth.modes.base import BaseSynthesizer
from synth.modes.registry import MODES, mode_facts
from synth.prompts.prompt import Prompt
from synth.quality import Fact, Follower
from synth.runs.bounds import Bounds
from synth.runs.trace import Plan, Trace
from synth.text.diff import count_words
from tests import plain
from ui.pages.learn.lesson_state import minutes
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.lesson import facts_of as facts_of_lesson
from ui.pages.learn.location import start
from ui.settings.fact_texts import facts_of
from ui.settings.request import SHORT, Request
from ui.settings.schema import FIRST_MODES, MOST_COLUMNS, Settings
from ui.traces.provenance import matches, quoted_words

_FAR = 100_000  # tokens; more than all chunks of a workspace have

OPENAI = {"gpt-4o": ("o200k_base", 128_000), "gpt-4": ("cl100k_base", 8_192)}
"""Models of OpenAI, their encodings and windows."""

ESTIMATE = "cl100k_base"
"""The encoding of the estimate beside a known tokenizer."""

OPENAI_MESSAGE, OPENAI_REPLY = 4, 3  # tokens around a message, and before the reply

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
    """The settings of a workspace, and the trace of its run if it had one."""

    settings: Settings
    trace: Trace | None = None
    _plans: dict[Any, Plan] = field(default_factory=dict)

    def value(self, quantity: Quantity) -> float:
        """The number of a quantity."""
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

    def short_answer(self) -> int:
        return self._answer("short")

    def sent_chunk_tokens(self) -> int:
        return sum(map(self._count, self.request(self.settings.mode).text_chunks))

    def left_out(self) -> int:
        return self.chunks() - self.sent_chunks()

    def template_tokens(self) -> int:
        """Of the template that the editor shows first, without its variables."""
        shown = MODES[self.settings.mode].templates[0]
        [*messages] = self.settings.templates[shown].messages
        return sum(self._count(re.sub(r"\{\w+\}", "", text)) for _, text in messages)

    def template_percent(self) -> int:
        return self._percent(self.template_tokens(), self.settings.context_window)

    def more_modes(self) -> int:
        return len(MODES.keys() - {*FIRST_MODES, self.settings.mode})

    # What would happen. `how` is "short" or "long": the length of the answers.

    def calls(self, mode: str, how: str) -> int:
        return len(self.plan(mode, how).calls)

    def levels(self, mode: str, how: str) -> int:
        return len({call.depth for call in self.plan(mode, how).calls})

    def prompt_tokens(self, mode: str, how: str) -> int:
        return sum(self._weighs(call.prompt) for call in self.plan(mode, how).calls)

    def chain(self, mode: str, how: str) -> int:
        return max((call.depth + 1 for call in self.plan(mode, how).calls), default=0)

    def output_tokens(self, mode: str, how: str) -> int:
        return self.calls(mode, how) * self._answer(how)

    def lost_tokens(self, mode: str) -> int:
        return sum(map(self._count, unsent(self.plan(mode, "long"))))

    def whole_tokens(self, mode: str) -> int:
        return sum(map(self._count, self.request(mode).text_chunks))

    def twice_tokens(self, mode: str, how: str) -> int:
        return sum(chunk.repeated_tokens for chunk in self.plan(mode, how).coverage)

    def fewer(self, mode: str, other: str) -> int:
        return self.calls(mode, "long") - self.calls(other, "long")

    def lost_percent(self, mode: str) -> int:
        return self._percent(self.lost_tokens(mode), self.whole_tokens(mode))

    def lesson_minutes(self) -> int:
        return minutes(LESSONS[0], facts_of_lesson(start(LESSONS[0]).preset))

    def template(self, mode: str, tokens: int, answer: int = 0) -> int:
        """The number, if a template has so many tokens with the question and an answer."""
        filled = [
            re.sub(r"\{\w+\}", "", text.replace("{query_str}", question))
            for name in MODES[mode].templates
            for _, text in self.settings.templates[name].messages
            for question in (self.settings.query_str, "")  # llama-index-core counts without it
        ]
        around = (0, OPENAI_REPLY + OPENAI_MESSAGE) if self.known else (0,)  # not there either
        counts = [frame + self._count(text) for text in filled for frame in around]
        return tokens if tokens - answer in counts else 0

    def too_much(self, *parts: int) -> int:
        return sum(parts) - self.settings.context_window

    def left(self, *parts: int) -> int:
        rest = self.settings.context_window - self.settings.num_output - sum(parts)
        return max(rest, 0)

    def padding(self, mode: str) -> int:
        return max(call.padding for call in self.plan(mode, "long").calls)

    def their_calls(self, mode: str) -> int:
        return len(self._theirs(mode).calls)

    def their_prompt_tokens(self, mode: str) -> int:
        return sum(self._weighs(call.prompt) for call in self._theirs(mode).calls)

    def their_padding(self, mode: str) -> int:
        return max(call.padding for call in self._theirs(mode).calls)

    # What an estimate would plan, and what is true of its prompts that wait for no answer.

    def estimated_calls(self, mode: str) -> int:
        return len(self._estimated(mode).calls)

    def estimated_over(self, mode: str) -> int:
        left = self.settings.context_window - self.settings.num_output
        return len([None for _, weighs, _ in self._first_estimated(mode) if weighs > left])

    def estimated_percent(self, mode: str) -> int:
        believed, weigh, _ = map(sum, zip(*self._first_estimated(mode), strict=True))
        return self._percent(abs(weigh - believed), believed)

    def estimated_by_tokenizer(self, mode: str) -> int:
        return sum(
            weigh - believed - frame for believed, weigh, frame in self._first_estimated(mode)
        )

    def estimated_by_frame(self, mode: str) -> int:
        return sum(frame for *_, frame in self._first_estimated(mode))

    def estimated_fewer(self, mode: str) -> int:
        calls = self._estimated(mode).calls
        believed = sum(plain.count(call.prompt.text, ESTIMATE) for call in calls)
        return self.prompt_tokens(mode, "long") - believed

    def _estimated(self, mode: str) -> Plan:
        return self.plan(mode, "long", tokenizer=ESTIMATE)

    def _first_estimated(self, mode: str) -> list[tuple[int, int, int]]:
        """What is believed of each prompt, what it weighs, and what of that is the frame."""
        prompts = [call.prompt for call in self._estimated(mode).calls if not call.depth]
        return [
            (
                plain.count(prompt.text, ESTIMATE),
                self._weighs(prompt),
                OPENAI_REPLY + OPENAI_MESSAGE * len(prompt.messages),
            )
            for prompt in prompts
        ]

    def known_window(self) -> int:
        return OPENAI[self.settings.model_name][1]

    def over_window(self, mode: str, call: int, tokens: int) -> int:
        """The number, if a call of llama-index-core needs so many tokens."""
        needs = self._weighs(self._theirs(mode).calls[call - 1].prompt) + self.settings.num_output
        return tokens if tokens == needs else 0

    # Along the window of What if.

    def calls_at(self, mode: str, window: int) -> int:
        """With long answers; -1 where a run is refused, -2 where it would not end."""
        try:
            plan = self.plan(mode, "long", context_window=window)
        except SynthError:
            return -1
        return -2 if plan.problem else len(plan.calls)

    def change(self, mode: str, window: int) -> int:
        """The window, if the calls change there."""
        return window if self.calls_at(mode, window) != self.calls_at(mode, window - 1) else 0

    def calls_below(self, mode: str, window: int) -> int:
        return self.calls_at(mode, window - 1)

    def near_change(self, mode: str, window: int) -> int:
        """The window, if the calls change there or just above it: it begins or ends an island."""
        return self.change(mode, window) or (self.change(mode, window + 1) and window)

    def same(self, mode: str, low: int, high: int, window: int) -> int:
        """The window, if the calls are the same at both ends and in the middle."""
        places = (low, (low + high) // 2, high)
        return window if len({self.calls_at(mode, place) for place in places}) == 1 else 0

    def compares(self, mode: str, others: tuple[str, ...], sign: str, window: int) -> int:
        """The window, if the mode makes fewer, more or as many calls there as the others."""
        ours, signs = self.calls_at(mode, window), {"fewer": -1, "more": 1, "as": 0}
        theirs = [self.calls_at(other, window) for other in others]
        return window if {(ours > one) - (ours < one) for one in theirs} == {signs[sign]} else 0

    def endless_below(self, modes: tuple[str, ...], window: int) -> int:
        """The window, if each of the modes has a plan that ends there, and none just below."""
        here = min(self.calls_at(mode, window) for mode in modes)
        return window if here >= 0 and self.lacks(modes, window - 1) else 0

    def refused_below(self, modes: tuple[str, ...], window: int) -> int:
        """The window, if none of the modes is refused there, and none has a plan just below."""
        refused = -1 in {self.calls_at(mode, window) for mode in modes}
        return window if not refused and self.lacks(modes, window - 1) else 0

    def lacks(self, modes: tuple[str, ...], window: int) -> int:
        """The window, if none of the modes has a plan there."""
        return window if max(self.calls_at(mode, window) for mode in modes) < 0 else 0

    def one_call_from(self, mode: str) -> int:
        """The least window from which on one call carries all chunks, if there is none above."""
        window = max(self.settings.context_window, 64)
        while not self._one_call(mode, window):
            window *= 2
            if window > _FAR:
                return 0
        low = 1
        while low + 1 < window:
            middle = (low + window) // 2
            low, window = (low, middle) if self._one_call(mode, middle) else (middle, window)
        return window

    def named_window(self, mode: str, window: int) -> int:
        """The window, if one call of the mode carries all from there on, or calls change there."""
        if changed := self.change(self.settings.mode, window):
            return changed
        return window if window == self.one_call_from(mode) else 0

    def _one_call(self, mode: str, window: int) -> bool:
        return self.calls_at(mode, window) == 1 and not any(
            unsent(self.plan(mode, "long", context_window=window))
        )

    # What Compare has not run yet: its columns, but those that send the prompts of another.

    def still_runs(self) -> int:
        return len(self._still)

    def still_unplanned(self) -> int:
        return len([mode for mode in self._still if not self._has_plan(mode)])

    def still(self, name: str, end: str) -> float:
        ranges = [getattr(self.bounds(mode), name) for mode in self._still if self._has_plan(mode)]
        together = max if name == "longest_chain" else sum
        found: float = together(getattr(one, end) for one in ranges)
        return found

    @cached_property
    def _still(self) -> list[str]:
        columns = dict.fromkeys((self.settings.mode, *FIRST_MODES))
        found: dict[object, str] = {}
        for mode in [*columns][:MOST_COLUMNS]:
            try:
                prompts = [
                    tuple(call.prompt.text for call in self.plan(mode, how).calls)
                    for how in ("short", "long")
                ]
            except SynthError:
                continue
            shared = self.settings.behaviour == "documented" and prompts[0]
            one_answer = mode_facts(mode).response_source == "last_answer"
            found.setdefault(tuple(prompts) if shared and one_answer else mode, mode)
        taken = self.trace is not None and self.trace.response is not None
        return [mode for mode in found.values() if not (taken and mode == self.settings.mode)]

    def _has_plan(self, mode: str) -> bool:
        return MODES[mode].steps is not BaseSynthesizer.steps

    # The least and the most, whatever the answers say; tests of `synth` hold these to runs.

    def least_calls(self, mode: str) -> float:
        return self.bounds(mode).calls.low

    def least_prompt_tokens(self, mode: str) -> float:
        return self.bounds(mode).prompt_tokens.low

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
        return sum(self._weighs(call.prompt) for call in self.ended.calls)

    def written(self) -> int:
        return sum(self._count(call.answer or "") for call in self.ended.calls)

    def read_and_written(self) -> int:
        return self.read() + self.written()

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

    def not_listed(self) -> int:
        return len(self.ended.calls) - 60

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

    # How they are made.

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
        return quoted_words(self.answer, matches(self.answer, self.ended.setup.chunks))

    @property
    def ended(self) -> Trace:
        assert self.trace is not None
        return self.trace

    def request(self, mode: str, **changes: Any) -> Request:
        return Request.of(self.settings.with_({"mode": mode, **changes}))

    def plan(self, mode: str, how: str, **changes: Any) -> Plan:
        key = (mode, how, *sorted(changes.items()))
        if key not in self._plans:
            request = self.request(mode, **changes)
            self._plans[key] = request.synthesizer().plan(
                request.query_str,
                request.text_chunks,
                answer_tokens=self._answer(how),
            )
        return self._plans[key]

    def bounds(self, mode: str) -> Bounds:
        request = self.request(mode)
        return request.synthesizer().bounds(request.query_str, request.text_chunks)

    def _theirs(self, mode: str) -> Plan:
        return self.plan(mode, "long", behaviour="llama_index")

    def _percent(self, part: int, whole: int) -> int:
        """A share of something, but never of nothing, is 1 % or more; less than all is 99."""
        share = round(100 * part / whole)
        return share if part in (0, whole) else min(max(share, 1), 99)

    def _answer(self, how: str) -> int:
        most = self.settings.num_output
        return most if how == "long" else min(SHORT, most)

    def _count(self, text: str) -> int:
        return plain.count(text, self._encoding)

    def _weighs(self, prompt: Prompt) -> int:
        """Tokens of a prompt as the model reads it: OpenAI says what its chat template adds."""
        if not self.known:
            return self._count(prompt.text)
        return OPENAI_REPLY + sum(
            OPENAI_MESSAGE + self._count(message.content) for message in prompt.messages
        )

    @property
    def known(self) -> bool:
        """Whether the tokenizer of the model is known, and its chat template."""
        endpoint = self.settings.model == "endpoint" and not self.settings.tokenizer
        return endpoint and self.settings.model_name in OPENAI

    @property
    def _encoding(self) -> str:
        """The one that is chosen, that of the model, or the one that stands in for it."""
        other = "o200k_base" if self.settings.model == "endpoint" else "cl100k_base"
        return self.settings.tokenizer or (
            OPENAI[self.settings.model_name][0] if self.known else other
        )
