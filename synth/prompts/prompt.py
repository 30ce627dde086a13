"""Prompts whose every character has a meaning, of a kind that stands in one table.

A new kind is one line of `SpanKind`, which budget, prompt view and stylesheet read; its colours can
be added in synth/html/colours.css.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Self

from synth.lazy import defer
from synth.text.spans import Text
from synth.text.tokenizer import Frame, Tokenizer


class SpanKind(StrEnum):
    """What a stretch of a prompt is, in the order of the budget bar."""

    label: str
    variables: tuple[str, ...]

    def __new__(cls, name: str, label: str, *variables: str) -> Self:
        """Make a member of the table, equal to its name."""
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.label, kind.variables = label, variables
        return kind

    FRAME = "frame", "chat template"
    SYSTEM = "system", "template"
    TEMPLATE = "template", "template"
    QUERY = "query", "query", "query_str"
    VARIABLE = "variable", "variables"
    CONTEXT = "context", "chunks", "context_str", "context_msg"
    ANSWER = "answer", "answers", "existing_answer"


FIXED = (SpanKind.FRAME, SpanKind.SYSTEM, SpanKind.TEMPLATE)
"""The kinds that are text of templates; the others are values in one."""

VALUES = tuple(kind for kind in SpanKind if kind not in FIXED)
"""The kinds that are values of variables."""

KIND_OF = {name: kind for kind in SpanKind for name in kind.variables}
"""The kind of the value of each variable; that of any other is VARIABLE."""


@dataclass(frozen=True)
class Span:
    """A stretch of a prompt: what it is, its text, and the variable that it filled."""

    kind: SpanKind
    text: Text
    name: str = ""


@dataclass(frozen=True)
class Message:
    """One message of a chat, or the only one of a plain prompt."""

    role: str
    spans: tuple[Span, ...]

    @property
    def content(self) -> str:
        """Return the message as the model reads it."""
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
        """Return the prompt itself, or one user message that is this text."""
        if isinstance(prompt, Prompt):
            return prompt
        return cls((Message("user", (Span(SpanKind.TEMPLATE, Text.of(prompt)),)),), is_chat=False)

    @defer
    def spans(self) -> tuple[Span, ...]:
        """Return the spans of the whole text; for a chat, `role: content` line by line."""
        if not self.is_chat:
            return self.messages[0].spans
        spans: list[Span] = []
        for message in self.messages:
            spans += [Span(SpanKind.TEMPLATE, Text.of(f"{message.role}: ")), *message.spans]
            spans.append(Span(SpanKind.TEMPLATE, Text.of("\n")))
        return (*spans, Span(SpanKind.TEMPLATE, Text.of("assistant: ")))

    @property
    def text(self) -> str:
        """Return the prompt as one string, for a model that takes text."""
        return "".join(str(span.text) for span in self.spans)

    def __str__(self) -> str:
        return self.text

    def read_by(self, tokenizer: Tokenizer) -> tuple[Span, ...]:
        """Return the spans that a model reads, those of its chat template included."""
        frame = self._frame(tokenizer)
        if frame is None:
            return self.spans
        first, *others = (Span(SpanKind.FRAME, Text.of(text)) for text in frame.texts)
        spans = [first]
        for message, behind in zip(self.messages, others, strict=True):
            spans += [*message.spans, behind]
        return tuple(spans)

    def tokens(self, tokenizer: Tokenizer) -> int:
        """Count what a model with this tokenizer reads, its chat template included."""
        counted = self._counted.get(tokenizer)
        if counted is None and tokenizer.asks:
            counted = tokenizer.count_chat([(one.role, one.content) for one in self.messages])
        if counted is None:
            runs = ("".join(str(span.text) for span in run) for run in self.runs(tokenizer))
            counted = self.extra_tokens(tokenizer) + sum(map(tokenizer.count, runs))
        self._counted[tokenizer] = counted
        return counted

    def encode(self, tokenizer: Tokenizer, *, before_answers: bool = False) -> list[object]:
        """Return the tokens that a model reads, with a mark for each that is not known as text.

        Of a planned prompt only what stands `before_answers` is what will be sent. A space there is
        read as one token with the answer's first word, so it is left out.
        """
        frame = self._frame(tokenizer)
        unknown = iter(() if frame is None else frame.tokens)
        tokens: list[object] = []
        for place, run in enumerate(self.runs(tokenizer)):
            if place:
                roles = tuple(message.role for message in self.messages[:place])
                marks = round(next(unknown, 0) / tokenizer.factor)
                tokens += [(roles, place, at) for at in range(marks)]
            known = [*takewhile(_holds_no_answer, run)] if before_answers else run
            text = "".join(str(span.text) for span in known)
            text = text if known == run else text.rstrip(" ")
            tokens += tokenizer.encode(text) if text else ()
            if known != run:
                break
        return tokens

    def extra_tokens(self, tokenizer: Tokenizer) -> int:
        """Return the tokens of the chat template that stand in no text."""
        frame = self._frame(tokenizer)
        return 0 if frame is None else frame.extra_tokens

    def runs(self, tokenizer: Tokenizer) -> Iterator[list[Span]]:
        """Yield the spans that are read as one text; what is not known as text parts them."""
        run: list[Span] = []
        for span in self.read_by(tokenizer):
            if span.kind == SpanKind.FRAME and not len(span.text):
                yield run
                run = []
            else:
                run.append(span)
        yield run

    def _frame(self, tokenizer: Tokenizer) -> Frame | None:
        return tokenizer.frame(tuple(message.role for message in self.messages))

    @defer
    def _counted(self) -> dict[Tokenizer, int]:
        return {}


def _holds_no_answer(span: Span) -> bool:
    return all(origin.kind != "answer" for origin in span.text.origins)
