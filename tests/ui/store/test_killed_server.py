"""A server that is killed in the middle of runs loses nothing that was answered.

One that is stopped loses nothing at all.
"""

import asyncio
import os
import random
import signal
import sys
from contextlib import suppress

import pytest
from sqlalchemy import make_url
from websockets.exceptions import ConnectionClosed

from benchmarks.served import served
from benchmarks.visitor import Visitor
from synth.llms import FunctionLLM
from tests import plans
from tests.eventually import SECONDS, eventually
from tests.fake_openai import Answer, FakeOpenAI, Late, Silence
from tests.ui.store.recorded import CHUNKS, latest, reply, request_of
from ui.settings.schema import from_texts
from ui.store import runs as saved_runs
from ui.store.store import Store
from ui.workspaces.files import to_json

pytestmark = pytest.mark.slow

CONCURRENCY = 4


class Endpoint(FakeOpenAI):
    """A model whose answer depends on its prompt alone, and comes after a random time.

    It answers so many prompts and keeps the others waiting, so a run lasts until it is killed.
    """

    def __init__(self, answers):
        super().__init__(Silence())
        self.answers = answers

    @property
    def prompts(self):
        return [request.body["messages"][0]["content"] for request in self.requests.copy()]

    def reply_to(self, request):
        silence = super().reply_to(request)
        if len(self.requests) > self.answers:
            return silence
        text = reply(request.body["messages"][0]["content"])
        return Late(random.uniform(0.0, 0.06), Answer(text))


@pytest.fixture
def database(tmp_path):
    return tmp_path / "history.sqlite3"


@pytest.fixture
def store(database):
    found = Store(make_url(f"sqlite:///{database}"))
    yield found
    found.close()


def inputs(mode, question, endpoint):
    return {
        "mode": mode,
        "query_str": question,
        "chunks": from_texts(CHUNKS, "test"),
        "context_window": 600,
        "num_output": 60,
        "model": "endpoint",
        "base_url": endpoint.base_url,
        "model_name": "m",
        "concurrency": CONCURRENCY,
    }


def visitor(server, space):
    return Visitor(server.url, "marker-500000", f"w={space}")


async def begin(server, space, endpoint, dice, question):
    """Start a run, and kill the server at a random moment in the middle of it.

    The question is typed just before, so the workspace may not have been saved since.
    """
    async with visitor(server, space) as person:
        await person.open()
        await person.press("send_to plan")
        await person.put("query_str", question)
        pressed = asyncio.create_task(person.press("run_button"))
        async with asyncio.timeout(SECONDS):
            while len(endpoint.requests) < endpoint.answers:
                await asyncio.sleep(0.001)
        await asyncio.sleep(dice.uniform(0.0, 0.1))
        os.kill(server.pid, signal.SIGKILL)
        with suppress(ConnectionError, ConnectionClosed):
            await pressed


async def resume(server, space, question):
    async with visitor(server, space) as person:
        await person.open()
        await person.press("send_to run")
        assert person.text("query_str") == question
        await person.press("resume")


async def edit(server, space):
    async with visitor(server, space) as person:
        await person.open()
        await person.put("query_str", "What held the pool?")


def whole(request):
    """The trace of the request where nothing is killed."""
    llm = FunctionLLM(reply, context_window=request.context_window, num_output=request.num_output)
    return request.synthesizer(llm).run(request.query_str, request.text_chunks)


def test_a_killed_server_loses_nothing_answered_or_typed_and_a_stopped_one_no_edit(store, database):
    space, dice, mode = "the workspace", random.Random(1), "tree_summarize"
    typed = "Who held the pool?"
    with Endpoint(dice.randrange(1, len(whole(request_of(mode)).calls))) as endpoint:
        values = inputs(mode, "What held the pool?", endpoint)
        saved_runs.save_workspace(store, space, to_json(values))
        with served("server.py", database) as server:
            asyncio.run(begin(server, space, endpoint, dice, typed))
        sent = set(endpoint.prompts)
        left = latest(store, space)
        kept = {call.prompt.text for call in left.trace.calls}
        assert left.info.state == "interrupted"
        assert left.request.query_str == typed
        assert len(kept) == len(left.trace.calls)  # none is doubled
        assert kept <= sent
        assert len(sent - kept) <= CONCURRENCY  # no more than were on their way are lost
        assert len(endpoint.requests) <= left.info.requests <= len(kept) + CONCURRENCY
        asked, endpoint.answers = len(endpoint.prompts), sys.maxsize
        with served("server.py", database) as server:
            asyncio.run(resume(server, space, typed))
            seen = []  # by this process, which is not the one that runs it

            def has_ended():
                seen.append(latest(store, space).info.state)
                return seen[-1] == "done"

            eventually(has_ended, "the end of the resumed run")
            assert "interrupted" not in seen[seen.count("interrupted") :]  # once it goes on
            saved_runs.save_workspace(store, "another", to_json({"seed": 7}))
            asyncio.run(edit(server, "another"))
        # It was stopped, not killed.
        assert saved_runs.load_workspace(store, "another")["query_str"] == "What held the pool?"
        assert not kept & set(endpoint.prompts[asked:])  # nothing answered is asked again
    back = latest(store, space)
    undisturbed = whole(back.request)
    assert (back.info.id, back.info.state) == (left.info.id, "done")
    assert back.trace.response == undisturbed.response
    assert plans.prompts(back.trace) == plans.prompts(undisturbed)
