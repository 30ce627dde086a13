"""A run in the background, fed by hand; a server that ends stops it."""

import queue
import signal
import threading
from dataclasses import replace

import pytest

import server
from synth import FunctionLLM, get_response_synthesizer
from synth.prompts.templates import PromptTemplate
from synth.runs.calls import CallRecord, Spent
from synth.runs.events import Answered, Failed, Started, Token
from tests.eventually import eventually
from tests.ui.compare_columns import request_of
from tests.ui.sample_calls import setup_of
from ui.runs.job import Job
from ui.runs.start import Runs
from ui.session.workspace import registry
from ui.store.rows import RunInfo

PROMPT = PromptTemplate("Why?").fill()


def fed(events, planned):
    """A run that reads these events until there is a None."""
    job = Job(request_of("refine"), setup_of(["one"]), RunInfo(planned=planned))
    job.events = lambda stop: iter(events.get, None)
    return job.begin()


def stopped_while_asked():
    """The events of a run that was stopped during its first call, the run, and that call."""
    events = queue.SimpleQueue()
    job = fed(events, 2)
    asked = CallRecord(1, 0, "text_qa_template", PROMPT, 5, (), prompt_tokens=2)
    events.put(Started(asked))
    eventually(lambda: job.events_read, "the start of the call")
    job.stop()
    return events, job, asked


def test_an_answer_that_comes_after_stop_is_taken_and_makes_what_was_drawn_old():
    events, job, _ = stopped_while_asked()
    assert job.trace.calls[0].error == "Call 1 was stopped while it was being answered."
    read = job.events_read
    events.put(Answered(CallRecord(1, 0, "text_qa_template", PROMPT, 5, (), 2, answer="late")))
    events.put(None)
    job.wait()
    assert job.trace.calls[0].answer == "late"
    assert job.events_read > read


def test_a_call_that_stop_kept_from_being_sent_is_no_call():
    events, job, asked = stopped_while_asked()
    events.put(Failed(replace(asked, tries=0, error="Call 1 was not sent.", error_kind="Stopped")))
    events.put(None)
    job.wait()
    assert job.trace.calls == ()
    assert job.spent == Spent()


@pytest.mark.parametrize(("text", "written"), [("one two three", None), ("", "one two three")])
def test_what_had_arrived_of_a_stopped_call_is_counted_reasoning_too(text, written):
    events = queue.SimpleQueue()
    job = fed(events, 1)
    asked = CallRecord(1, 0, "text_qa_template", PROMPT, 5, (), prompt_tokens=2)
    events.put(Started(asked))
    events.put(Token(1, text, verbatim=False, written=written))
    eventually(lambda: job.events_read >= 2, "both events")
    job.stop()
    assert job.trace.calls[0].output_tokens == 3
    assert job.trace.calls[0].reply == "one two three"
    assert job.spent == job.trace.spent == Spent(1, 2, 3)
    events.put(None)
    job.wait()


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
        job.events = lambda stop: mode.stream("q", CHUNKS, stop=stop)
        space.holding(Runs).begin(job.begin())
        eventually(lambda: len(asked) == 2, "the first calls")
    release.set()
    job.wait()
    assert len(asked) == 2
    assert not job.running
    assert job.trace.stopped
    assert [call.reply for call in job.trace.calls] == ["yes", "yes"]
