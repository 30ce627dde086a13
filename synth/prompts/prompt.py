"""Prompts whose every character has a meaning."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from synth.prompts.kinds import SpanKind
from synth.text.spans import Text
from synth.text.tokens import Tokenizer


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a prompt: what it is, its text, and the variable that it filled."""

    kind: SpanKind
    text: Text
    name: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat, or the only one of a plain prompt."""

    role: str
    spans: tuple[Span, ...]

    @property
    def content(self) -> str:
        """The message as the model reads it."""
        return "".join(str(span.text) for span in self.spans)

    def __repr__(self) -> str:
        return f"Message({self.role!r}, {self.content!r})"


@dataclass(frozen=True)
class Prompt:
    """What a model is sent: the messages of a chat, or one user message that is a plain text."""

    messages: tuple[Message, ...]
    is_chat: bool

    @classmethod
    def of(cls, prompt: Prompt | str) -> Prompt:
        """The prompt itself, or one user message that is this text."""
        if isinstance(prompt, Prompt):
            return prompt
        return cls((Message("user", (Span(SpanKind.TEMPLATE, Text.of(prompt)),)),), is_chat=False)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The spans of the whole text; for a chat, `role: content` line by line."""
        if not self.is_chat:
            return self.messages[0].spans
        spans: list[Span] = []
        for message in self.messages:
            spans += [Span(SpanKind.TEMPLATE, Text.of(f"{message.role}: ")), *message.spans]
            spans.append(Span(SpanKind.TEMPLATE, Text.of("\n")))
        return (*spans, Span(SpanKind.TEMPLATE, Text.of("assistant: ")))

    @property
    def text(self) -> str:
        """The prompt as one string, for a model that takes text."""
        return "".join(str(span.text) for span in self.spans)

    def __str__(self) -> str:
        return self.text

    def tokens(self, tokenizer: Tokenizer) -> int:
        """The exact number of tokens of `text`."""
        counted = self._counted.get(tokenizer)
        if counted is None:
            counted = tokenizer.count_joined(span.text for span in self.spans)
            self._counted[tokenizer] = counted
        return counted

    def fits(self, tokenizer: Tokenizer, room: int) -> bool:
        """Whether `text` has at most `room` tokens."""
        by_size = tokenizer.fits_by_size([span.text for span in self.spans], room)
        return self.tokens(tokenizer) <= room if by_size is None else by_size

    @cached_property
    def _counted(self) -> dict[Tokenizer, int]:
        return {}
