"""What one visitor can do to make a server busy: sessions, each from a first look to leaving."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from benchmarks import texts
from benchmarks.visitor import Visitor

MARKER = "marker-900000"
_BROWSERS = 20
_CHUNKS, _CHARACTERS = 2_000, 1_000


class Hostile(NamedTuple):
    """A session by its name and its size, and what it does at an address, which may say its end."""

    name: str
    size: str
    act: Callable[[str], Awaitable[str | None]]


async def _pasted(visitor: Visitor) -> None:
    """Open the page, and use 2 MB as the chunks."""
    whole = texts.english(_CHUNKS * _CHARACTERS)
    parts = [whole[at : at + _CHARACTERS] for at in range(0, len(whole), _CHARACTERS)]
    await visitor.open()
    await visitor.put("pasted", "\n\n".join(" ".join(part.split()) for part in parts))
    await visitor.press("use_text")


async def _edits(url: str) -> None:
    async with Visitor(url, MARKER) as visitor:
        await _pasted(visitor)
        for number in range(3):
            await visitor.put("query_str", f"What of {number}?")
            await visitor.press(f"mode {('refine', 'tree_summarize', 'compact')[number]}")
            await visitor.put("context_window", 2_000 + number)


async def _many_calls(url: str) -> None:
    async with Visitor(url, MARKER) as visitor:
        await _pasted(visitor)
        await visitor.put("chunk_overlap_ratio", [0.5])
        for mode in ("refine", "tree_summarize", "simple_summarize"):
            await visitor.press(f"mode {mode}")
            for window in (400, 600):
                await visitor.put("context_window", window)


async def _closed_at_once(url: str) -> None:
    for _ in range(3):
        async with Visitor(url, MARKER) as visitor:
            await _pasted(visitor)
            await visitor.put("chunk_overlap_ratio", [0.9])
            leaving = asyncio.create_task(visitor.put("context_window", 400))
            await asyncio.sleep(0.5)
            leaving.cancel()


async def _by_window(url: str) -> None:
    async with Visitor(url, MARKER) as visitor:
        await _pasted(visitor)
        await visitor.put("plan_view", ["By window"])


async def _compare(url: str) -> None:
    async with Visitor(url, MARKER) as visitor:
        await _pasted(visitor)
        await visitor.go("compare")
        await visitor.put("compare_view", ["Questions"])


async def _template(url: str) -> None:
    async with Visitor(url, MARKER) as visitor:
        await visitor.open()
        await visitor.press("mode refine")
        await visitor.put("text_qa_template", "{context_str} {query_str} " + "word " * 20_000)
        for number in range(3):
            await visitor.put("context_window", 40_000 + number)


async def _runs(url: str) -> None:
    async def press() -> None:
        async with Visitor(url, MARKER) as visitor:
            await visitor.open()
            await visitor.press("run_button", until="view")

    await asyncio.gather(*(press() for _ in range(_BROWSERS)))


SESSIONS = (
    Hostile("edits of a long text", "2 MB, 2,000 chunks", _edits),
    Hostile("thousands of calls, half of each text sent twice", "2 MB, 2,000 chunks", _many_calls),
    Hostile("edits in tabs that are closed at once", "3 times 2 MB", _closed_at_once),
    Hostile("By window", "2 MB, 2,000 chunks", _by_window),
    Hostile("Compare, questions", "2 MB, 2,000 chunks", _compare),
    Hostile("a long template", "100 kB", _template),
    Hostile("Run in many browsers at once", f"{_BROWSERS} browsers", _runs),
)
