"""What would happen: the numbers of plans, also of LlamaIndex's."""

import re

from synth.errors import SynthError
from synth.modes.registry import MODES
from tests.ui.sentences.entered import (
    OPENAI,
    OPENAI_MESSAGE,
    OPENAI_REPLY,
    Entered,
    unsent,
)

_FAR = 100_000  # tokens; more than all chunks of a workspace have


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
