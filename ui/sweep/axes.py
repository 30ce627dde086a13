"""The settings that can be varied, one at a time, and their words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from synth.wording import counted
from ui.request.request import Model, Request
from ui.sweep import spans
from ui.sweep.spans import Span


@dataclass(frozen=True)
class Axis:
    """One setting to vary; values on it are whole numbers.

    `setting` is its name in the request, `per` how many steps make 1 of the setting, `noun`
    what is counted, if anything. `at` says that a value is taken, `use` the button
    that puts it into the settings. `span` is made of the request and of how many chunks there are.
    """

    name: str
    label: str
    setting: str
    at: str
    span: Callable[[Request, int], Span]
    noun: str = "token"
    use: str | None = None
    per: int = 1

    def text(self, x: int) -> str:
        """The value as it is written: "1,024", or "0.10" for a ratio."""
        return f"{x:,}" if self.per == 1 else f"{x / self.per:.2f}"

    def place(self, x: int) -> str:
        """That the value is taken: "at 1,024 tokens"."""
        return self.at.format(counted(x, self.noun) if self.noun else self.text(x))

    def value(self, x: int) -> int | float:
        """The value as the setting has it."""
        return x if self.per == 1 else x / self.per

    def asked(self, request: Request, x: int) -> Request:
        """The request with this value in the place of its own."""
        if self.setting == "chunks":
            return replace(
                request,
                chunks=request.chunks[:x],
                positions=request.positions[:x],
                scores=request.scores[:x],
            )
        if self.setting == "answer_tokens":
            return request
        changed: dict[str, Any] = {self.setting: self.value(x)}
        return replace(request, **changed)

    def neutral(self, request: Request) -> Request:
        """What the curves over this axis depend on: no own value, no model that answers."""
        known = request if self.setting == "chunks" else self.asked(request, 1)
        return replace(known, model=Model())

    def answers(self, x: int) -> int | None:
        """Tokens of every answer, where they are what is varied."""
        return x if self.setting == "answer_tokens" else None

    def first(self, x: int) -> int | None:
        """How many of the chunks are sent, where that is what is varied."""
        return x if self.setting == "chunks" else None


AXES = {
    axis.name: axis
    for axis in (
        Axis(
            "window",
            "context window",
            "window",
            "at {}",
            spans.of_window,
            use="Use this window",
        ),
        Axis(
            "num_output",
            "num_output",
            "num_output",
            "with {} for an answer",
            spans.of_num_output,
            use="Use this num_output",
        ),
        Axis(
            "overlap",
            "overlap ratio",
            "overlap",
            "at an overlap ratio of {}",
            spans.of_overlap,
            noun="",
            use="Use this overlap",
            per=100,
        ),
        Axis(
            "chunk_limit",
            "chunk size limit",
            "chunk_limit",
            "with pieces of at most {}",
            spans.of_chunk_limit,
            use="Use this limit",
        ),
        Axis(
            "chunks",
            "number of chunks",
            "chunks",
            "with {}",
            spans.of_chunks,
            noun="chunk",
            use="Use this number",
        ),
        Axis(
            "answers",
            "length of answers",
            "answer_tokens",
            "with answers of {}",
            spans.of_answers,
        ),
    )
}
