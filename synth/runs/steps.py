"""The protocol between a mode and whoever runs it.

A mode does no input or output. It is a generator of *call batches*: it yields the calls
that can go out together, is sent their answers in the same order, and returns the text of
the response:

    def steps(self, query_str, texts, **variables) -> Steps:
        [answer] = yield [self.call(template, text, final=True)]
        return answer.text

Written once like this, a mode can be run with threads or with asyncio, streamed, planned
without any model, stepped by hand in a test, and replayed from a log of answers to any
step. The drivers of `drivers.py` do that; they hold to these rules, and so must a mode:

- A batch is a barrier: the mode goes on when all its answers are there. It is never empty.
- Only `advance` touches StopIteration, and it wraps `send` alone; a StopIteration raised
  by a model is a failed call, not the end of the mode.
- A generator can't be copied or stored. What is kept is the log of answers, and `replay`.
- What a reply *means* (an object of a schema, "the chunk does not answer the question")
  is read by the driver. The mode sees `Answer.text` and `Answer.satisfied`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel

from synth.prompts.prompt import Prompt
from synth.runs.llm import Completion
from synth.text.spans import Text


@dataclass(frozen=True)
class Call:
    """One prompt to send.

    `final`: its answer ends the run. `verbatim`: its text is the response as it is. `padding` are
    tokens left free on purpose. `schema`: the reply must be JSON of it; if `filtered`, one with
    `query_satisfied` and `answer`, which with `takes_cut` counts as far as it came. `tolerates` are
    failures that count as "no answer". `reader` reads the reply as it came; else as documented.
    """

    template: str
    prompt: Prompt
    final: bool = False
    verbatim: bool = False
    padding: int = 0
    schema: type[BaseModel] | None = None
    filtered: bool = False
    takes_cut: bool = False
    notes: tuple[str, ...] = ()
    tolerates: tuple[type[Exception], ...] = ()
    reader: Reader | None = None


class Meaning(NamedTuple):
    """The answer in a reply, whether it says that the question is answered, and notes on that."""

    answer: str
    satisfied: bool = True
    notes: tuple[str, ...] = ()


Reader = Callable[[Call, Completion, Sequence[int]], Meaning]
"""What a reply to a call means, of which pieces came that end at these characters."""


@dataclass(frozen=True)
class Answer:
    """What a reply means; `satisfied` is false for a "no" or a tolerated failure."""

    number: int
    text: str
    satisfied: bool = True

    def as_text(self) -> Text:
        """Return the answer as a text that later prompts can carry, with its origin."""
        return Text.of(self.text, "answer", self.number)


Steps = Generator[list[Call], list[Answer], str]


class Done(NamedTuple):
    """The end of a mode: the text of its response."""

    response: str


def advance(steps: Steps, answers: list[Answer] | None) -> list[Call] | Done:
    """Send a batch's answers (None to begin) and get the next batch, or the response."""
    try:
        calls = next(steps) if answers is None else steps.send(answers)
    except StopIteration as end:
        return Done(end.value)
    if not calls:
        raise ValueError("A mode yielded an empty batch; a batch is one call or more.")
    return calls
