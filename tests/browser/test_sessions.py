"""Sessions over the websocket of the pages, as `make bench-load` has them: no browser needed."""

import asyncio
import random

import psutil
import pytest

from benchmarks.classroom import Person
from benchmarks.served import served
from benchmarks.visitor import Leak, Visitor
from tests.eventually import eventually

EDITS = ("limit", "question", "mode", "template", "paste")


async def messages(visitor, edit):
    """How many messages the server sends for an edit."""
    before = visitor.messages
    await edit()
    return visitor.messages - before


async def test_an_edit_draws_less_than_the_page(app_url):
    async with Visitor(app_url, "marker-100000") as visitor:
        person = Person(visitor, random.Random(1))
        whole = await messages(visitor, visitor.open)
        await person.paste()
        sent = {kind: await messages(visitor, person.edits[kind]) for kind in EDITS}
    assert sent["limit"] < whole / 2 > sent["question"]
    assert max(sent.values()) < 0.75 * whole


async def test_parts_that_come_and_go_with_the_mode_follow_the_window(app_url):
    async with Visitor(app_url, "marker-100001") as visitor:
        await visitor.open()
        for at, mode in enumerate(("simple_summarize", "compact", "refine", "tree_summarize")):
            await visitor.put("window", 900 + at)
            await visitor.press(f"mode {mode}")
            await visitor.put("window", 800 + at)
        assert visitor.has("summary_template")


async def test_an_edit_after_a_run_brings_the_plan_and_the_next_ones_draw_parts(app_url):
    async with Visitor(app_url, "marker-100002") as visitor:
        await visitor.open()
        await visitor.press("run_button", until="view")
        await visitor.put("view", ["Steps"])
        await visitor.put("window", 700)
        assert visitor.has("plan_view")
        before = visitor.messages
        await visitor.put("window", 800)
        assert visitor.messages - before < 60
        await visitor.press("Show the last answer", until="view")
        assert not visitor.has("plan_view")


async def test_nobody_is_sent_what_another_entered(app_url):
    async def at(number):
        async with Visitor(app_url, f"marker-{number:06d}") as visitor:
            person = Person(visitor, random.Random(number))
            await visitor.open()
            for kind in ("paste", "question", "template", "limit"):
                await person.edits[kind]()
            await visitor.press("run_button", until="view")
            await person.limit()

    await asyncio.gather(*map(at, range(200_000, 200_006)))


async def test_the_check_sees_what_belongs_to_another(app_url):
    async with Visitor(app_url, "marker-300000") as visitor:
        await visitor.open()
        await visitor.put("pasted", "A chunk of marker-300001.")
        with pytest.raises(Leak, match="marker-300001"):
            await visitor.press("use_text")


class Reader(Visitor):
    """A visitor who keeps what is drawn: the HTML and the pictures."""

    def __init__(self, url, marker):
        super().__init__(url, marker)
        self.drawn = []

    def _draw(self, delta):
        super()._draw(delta)
        element = delta.new_element
        if element.WhichOneof("type") == "html":
            self.drawn.append(element.html.body)
        elif element.WhichOneof("type") == "bidi_component":
            self.drawn.append(element.bidi_component.bytes)


async def read(url):
    """What somebody sees who changes the window in two modes."""
    async with Reader(url, "marker-400000") as visitor:
        await visitor.open()
        visitor.drawn.clear()
        for mode in ("tree_summarize", "refine"):
            await visitor.press(f"mode {mode}")
            for window in (400, 700, 1_300):
                await visitor.put("window", window)
        return visitor.drawn


def written(process):
    """How many bytes a process has written; the second one writes into its pipes alone."""
    return process.io_counters().write_chars


@pytest.mark.skipif(not hasattr(psutil.Process, "io_counters"), reason="needs counted bytes")
async def test_with_many_people_plans_are_made_in_a_second_process_and_look_alike():
    with served("app.py") as app:
        server = psutil.Process(app.pid)
        alone = await read(app.url)
        assert server.children() == []
        for number in range(400_001, 400_009):
            async with Visitor(app.url, f"marker-{number}") as visitor:
                await visitor.open()
        [second] = server.children()
        eventually(lambda: written(second), "it says that it is ready")
        before = written(second)
        assert await read(app.url) == alone
        assert written(second) > before
    eventually(lambda: not second.is_running(), "it has ended with the server")
