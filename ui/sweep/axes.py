"""The settings that can be varied, one at a time, with their names and phrases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from synth.text.wording import counted
from ui.request.request import Model, Request
from ui.sweep import axis_spans
from ui.sweep.axis_spans import AxisSpan


@dataclass(frozen=True)
class Axis:
    """One setting to vary; positions on the axis are whole numbers.

    `setting` is its name in the request. `scale` positions make 1 of the setting. `noun` is what
    is counted ("token"), or empty. `phrase_form` and `button` are texts with a value and for the
    button that puts it into the settings. `span` takes the request and the number of chunks.
    """

    name: str
    label: str
    setting: str
    phrase_form: str
    span: Callable[[Request, int], AxisSpan]
    noun: str = "token"
    button: str | None = None
    scale: int = 1

    def text(self, x: int) -> str:
        """The value alone: "1,024", or "0.10" for a ratio."""
        return f"{x:,}" if self.scale == 1 else f"{x / self.scale:.2f}"

    def phrase(self, x: int) -> str:
        """The value as part of a sentence: "at 1,024 tokens"."""
        return self.phrase_form.format(counted(x, self.noun) if self.noun else self.text(x))

    def value(self, x: int) -> int | float:
        """The value as the setting has it."""
        return x if self.scale == 1 else x / self.scale

    def request_at(self, request: Request, x: int) -> Request:
        """The request with this value instead of its own."""
        if self.setting == "text_chunks":
            return replace(
                request,
                text_chunks=request.text_chunks[:x],
                positions=request.positions[:x],
                scores=request.scores[:x],
            )
        if self.setting == "answer_tokens":
            return request
        changed: dict[str, Any] = {self.setting: self.value(x)}
        return replace(request, **changed)

    def curve_key(self, request: Request) -> Request:
        """The request with fixed values for all that the curves do not depend on."""
        fixed = request if self.setting == "text_chunks" else self.request_at(request, 1)
        return replace(fixed, model=Model())

    def answer_tokens(self, x: int) -> int | None:
        """The length of every answer if that is varied, else None."""
        return x if self.setting == "answer_tokens" else None

    def chunk_count(self, x: int) -> int | None:
        """The number of chunks that are sent if that is varied, else None."""
        return x if self.setting == "text_chunks" else None


AXES = {
    axis.name: axis
    for axis in (
        Axis(
            "window",
            "context window",
            "context_window",
            "at {}",
            axis_spans.of_window,
            button="Use this window",
        ),
        Axis(
            "num_output",
            "answer length",
            "num_output",
            "with {} for an answer",
            axis_spans.of_num_output,
            button="Use this length",
        ),
        Axis(
            "overlap",
            "overlap",
            "chunk_overlap_ratio",
            "at an overlap of {}",
            axis_spans.of_overlap,
            noun="",
            button="Use this overlap",
            scale=100,
        ),
        Axis(
            "chunk_limit",
            "chunk size limit",
            "chunk_size_limit",
            "with pieces of at most {}",
            axis_spans.of_chunk_limit,
            button="Use this limit",
        ),
        Axis(
            "chunks",
            "number of chunks",
            "text_chunks",
            "with {}",
            axis_spans.of_chunks,
            noun="chunk",
            button="Use this number",
        ),
        Axis(
            "answers",
            "length of answers",
            "answer_tokens",
            "with answers of {}",
            axis_spans.of_answers,
        ),
    )
}


def axis_of(setting: str) -> Axis:
    """The axis that varies this setting."""
    return next(axis for axis in AXES.values() if axis.setting == setting)
