"""What was entered in a workspace, and what is made of it: the ground of all quantities.

Calls are counted one by one and texts by plain tiktoken; nothing here asks what a page asks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from synth.modes.advice.choice import SHORT
from synth.modes.registry import MODES
from synth.prompts.prompt import Prompt
from synth.runs.bounds import Bounds
from synth.runs.trace import Plan, Trace
from tests import plain
from ui.pages.learn.lesson_state import minutes
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.lesson import facts_of as facts_of_lesson
from ui.pages.learn.location import start
from ui.settings.request import Request
from ui.settings.schema import FIRST_MODES, Settings

OPENAI = {"gpt-4o": ("o200k_base", 128_000), "gpt-4": ("cl100k_base", 8_192)}
"""Models of OpenAI, their encodings and windows."""


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
class Entered:
    """The settings of a workspace, the trace of its run if it had one, and plans made so far."""

    settings: Settings
    trace: Trace | None = None
    plans: dict[Any, Plan] = field(default_factory=dict)

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

    def sent_chunk_tokens(self) -> int:
        return sum(map(self._count, self.request(self.settings.mode).text_chunks))

    def left_out(self) -> int:
        return self.chunks() - self.sent_chunks()

    def template_tokens(self) -> int:
        """Of the template that the editor shows first, without its variables."""
        shown = MODES[self.settings.mode].templates[0]
        [*messages] = self.settings.messages(shown)
        return sum(self._count(re.sub(r"\{\w+\}", "", text)) for _, text in messages)

    def more_modes(self) -> int:
        return len(MODES.keys() - {*FIRST_MODES, self.settings.mode})

    def lesson_minutes(self) -> int:
        return minutes(LESSONS[0], facts_of_lesson(start(LESSONS[0]).preset))

    # How they are made.

    def request(self, mode: str, **changes: Any) -> Request:
        return Request.of(self.settings.with_({"mode": mode, **changes}))

    def plan(self, mode: str, how: str, **changes: Any) -> Plan:
        key = (mode, how, *sorted(changes.items()))
        if key not in self.plans:
            request = self.request(mode, **changes)
            self.plans[key] = request.synthesizer().plan(
                request.query_str,
                request.text_chunks,
                answer_tokens=self._answer(how),
            )
        return self.plans[key]

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
