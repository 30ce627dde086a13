"""What people in a class do with the page: paste, ask, change settings, run, step; then leave."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from itertools import count
from typing import NamedTuple

from benchmarks import texts
from benchmarks.visitor import Leak, Visitor

CHUNKS, CHARACTERS = 12, 600
MODES = ("tree_summarize", "refine", "simple_summarize", "compact")
_EDITS = (8, 23)  # before a run, at least and fewer than
_STEPS = 3  # after it, and as many edits beside its result
_serials = count(1)


class Action(NamedTuple):
    """Something a person did: when it was done, and how long the page took, in milliseconds."""

    kind: str
    ended: float
    milliseconds: float


class Person:
    """A person with a marker of their own in the question, the chunks and the templates.

    They paste so many chunks, with so many characters each.
    """

    def __init__(
        self, visitor: Visitor, dice: random.Random, chunks: int = CHUNKS, each: int = CHARACTERS
    ) -> None:
        self.visitor = visitor
        self.dice = dice
        self._chunks, self._each = chunks, each
        self._edits = 0

    async def paste(self) -> float:
        """Other chunks: how long it took until they were counted, and until they were used."""
        whole = texts.english(200_000)
        starts = [self.dice.randrange(len(whole) - self._each) for _ in range(self._chunks)]
        parts = (" ".join(whole[at : at + self._each].split()) for at in starts)
        text = "\n\n".join(f"{self.visitor.marker} {part}" for part in parts)
        return await self.visitor.put("pasted", text) + await self.visitor.press("use_text")

    def question(self) -> Awaitable[float]:
        """Another question."""
        return self.visitor.put("query_str", f"What of {self.visitor.marker}, {self._next()}?")

    def limit(self) -> Awaitable[float]:
        """Another window, num_output, overlap, padding or chunk size limit."""
        dice = self.dice
        name, value = dice.choice(
            (
                ("context_window", 1_000 + self._next()),
                ("context_window", 1_500 + self._next()),
                ("num_output", dice.randrange(64, 200)),
                ("chunk_overlap_ratio", [dice.randrange(30) / 100]),
                ("response_padding_size", dice.randrange(100)),
                ("chunk_size_limit", dice.randrange(100, 400)),
            )
        )
        return self.visitor.put(name, value)

    def mode(self) -> Awaitable[float]:
        """Another mode."""
        return self.visitor.press(f"mode {self.dice.choice(MODES)}")

    async def template(self) -> float:
        """A longer template, of a mode that has one."""
        names = ("text_qa_template", "summary_template")
        if not any(map(self.visitor.has, names)):
            await self.visitor.reach(names[0])
        name = next(one for one in names if self.visitor.has(one))
        before = self.visitor.text(name).partition(" In at most ")[0]
        return await self.visitor.put(name, f"{before} In at most {self._next()} words.")

    def _next(self) -> int:
        self._edits += 1
        return self._edits

    @property
    def edits(self) -> dict[str, Callable[[], Awaitable[float]]]:
        """What changes the plan, by kind."""
        return {
            "limit": self.limit,
            "question": self.question,
            "mode": self.mode,
            "template": self.template,
            "paste": self.paste,
        }


_OFTEN = {"limit": 8, "question": 2, "mode": 2, "template": 2, "paste": 1}
Do = Callable[[str, Callable[[], Awaitable[float]]], Awaitable[None]]
"""Does something of a kind, notes how long it took, and thinks."""


async def lesson(
    visitor: Visitor, dice: random.Random, do: Do, chunks: int = CHUNKS, each: int = CHARACTERS
) -> None:
    """From the first look at the page to the steps of a run over so many chunks."""
    person = Person(visitor, dice, chunks, each)
    await do("open", visitor.open)
    await do("paste", person.paste)
    await do("question", person.question)
    for _ in range(dice.randrange(*_EDITS)):
        [kind] = dice.choices(list(_OFTEN), list(_OFTEN.values()))
        await do(kind, person.edits[kind])
    await do("run", lambda: visitor.press("run_button", until="view"))
    await do("view", lambda: visitor.put("view", ["Steps"]))
    for _ in range(_STEPS):
        if visitor.has("step_on"):
            await do("step", lambda: visitor.press("step_on"))
    for _ in range(_STEPS):
        await do("limit, after a run", person.limit)


async def floor(visitor: Visitor, dice: random.Random, do: Do) -> None:
    """As many edits of the one number of `floor.py`."""
    await do("open", visitor.open)
    for _ in range(dice.randrange(*_EDITS)):
        await do("limit", lambda: visitor.put("Context window", dice.randrange(1, 10_000)))


class Seat:
    """A place in the class: one person after the other, each with `think` seconds between edits.

    `actions` are all that was done there, `errors` what went wrong.
    """

    def __init__(self, url: str, think: float, number: int) -> None:
        self.actions: list[Action] = []
        self.errors: list[str] = []
        self._url, self._think = url, think
        self._dice = random.Random(number)

    async def taken(
        self, visit: Callable[[Visitor, random.Random, Do], Awaitable[None]], wait: float
    ) -> None:
        """After `wait` seconds let people come and go, until it is cancelled; Leak ends it."""
        await asyncio.sleep(wait)
        while True:
            try:
                async with Visitor(self._url, f"marker-{next(_serials):06d}") as visitor:
                    await visit(visitor, self._dice, self._do)
            except Leak:
                raise
            except Exception as error:  # the table counts it, and the next one comes
                self.errors.append(f"{type(error).__name__}: {error}")
                await asyncio.sleep(self._think)

    async def _do(self, kind: str, action: Callable[[], Awaitable[float]]) -> None:
        milliseconds = await action()
        self.actions.append(Action(kind, time.perf_counter(), milliseconds))
        await asyncio.sleep(self._think * self._dice.uniform(0.5, 1.5))
