"""A server that is stopped sends no further call of a batch."""

import signal
import threading

import server
from synth import FunctionLLM, get_response_synthesizer
from tests.eventually import eventually
from tests.ui.compare_columns import request_of
from ui.runs.branches import Runs
from ui.runs.job import Job
from ui.runs.pool import Lane
from ui.session.workspace import registry

CHUNKS = [f"chunk {number}" for number in range(200)]


async def test_a_server_that_ends_stops_the_batch_of_a_run(monkeypatch):
    monkeypatch.setattr(signal, "pthread_sigmask", lambda *_: None, raising=False)
    asked = []
    release = threading.Event()

    def answer(prompt):
        asked.append(prompt)
        release.wait(20)
        return "yes"

    mode = get_response_synthesizer(
        "accumulate", FunctionLLM(answer), use_async=True, max_concurrency=2
    )
    space = registry().find(None)
    async with server._lifespan(server.app):
        job = Job(request_of("accumulate"), mode.setup("q", CHUNKS))
        job.begin(Lane(space.id), lambda stop: mode.stream("q", CHUNKS, stop=stop))
        space.holding(Runs).begin(job)
        eventually(lambda: len(asked) == 2, "the first calls")
    release.set()
    job.wait()
    assert len(asked) == 2
    assert not job.running
    assert job.trace.stopped
    assert [call.reply for call in job.trace.calls] == ["yes", "yes"]
