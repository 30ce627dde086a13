"""What would happen: the numbers of plans, also of LlamaIndex's."""

import re

from synth.modes.registry import MODES
from tests.ui.sentences.entered import (
    OPENAI,
    OPENAI_MESSAGE,
    OPENAI_REPLY,
    Entered,
    unsent,
)


class Planned(Entered):
    """The quantities of plans."""

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

    def template(self, mode: str, tokens: int, answer: int = 0) -> int:
        """The number, if a template has so many tokens with the question and an answer."""
        filled = [
            re.sub(r"\{\w+\}", "", text.replace("{query_str}", question))
            for name in MODES[mode].templates
            for _, text in self.settings.messages(name)
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

    def their_calls(self, mode: str) -> int:
        return len(self._theirs(mode).calls)

    def their_prompt_tokens(self, mode: str) -> int:
        return sum(self._weighs(call.prompt) for call in self._theirs(mode).calls)

    def their_padding(self, mode: str) -> int:
        return max(call.padding for call in self._theirs(mode).calls)

    def known_window(self) -> int:
        return OPENAI[self.settings.model_name][1]

    def over_window(self, mode: str, call: int, tokens: int) -> int:
        """The number, if a call of llama-index-core needs so many tokens."""
        needs = self._weighs(self._theirs(mode).calls[call - 1].prompt) + self.settings.num_output
        return tokens if tokens == needs else 0
