"""Sessions over the websocket of the pages, as `make bench-load` has them: no browser needed."""

import asyncio
import random

import psutil
import pytest

from benchmarks import hostile
from benchmarks.classroom import Person
from benchmarks.served import served
from benchmarks.visitor import Leak, Visitor


@pytest.fixture(scope="module")
def own():
    with served("server.py") as app:
        yield app


async def test_parts_that_come_and_go_with_the_mode_and_the_panel_follow_the_window(app_url):
    async with Visitor(app_url, "marker-100001") as visitor:
        await visitor.open()
        await visitor.reach("text_qa_template")  # a part with another in it, gone by the next edit
        for at, mode in enumerate(("simple_summarize", "compact", "refine", "tree_summarize")):
            await visitor.put("context_window", 900 + at)
            await visitor.press(f"mode {mode}")
            await visitor.put("context_window", 800 + at)
        await visitor.reach("summary_template")
        assert visitor.has("summary_template")


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


async def test_a_long_text_is_planned_in_the_server_and_a_run_of_it_has_an_end(own):
    async with Visitor(own.url, "marker-400000") as visitor:
        person = Person(visitor, random.Random(1))
        await visitor.open()
        await person.limit()
        await Person(visitor, random.Random(2), chunks=200, each=1_000).paste()
        assert psutil.Process(own.pid).children() == []
        await person.question()  # the sample's went with its chunks
        await visitor.press("run_button", until="view")


@pytest.mark.parametrize("session", hostile.SESSIONS, ids=lambda session: session.name)
async def test_a_session_finds_what_it_presses(session, app_url, monkeypatch):
    monkeypatch.setattr(hostile, "_CHUNKS", 2)
    monkeypatch.setattr(hostile, "_BROWSERS", 2)
    await session.act(app_url)
