"""The drivers: what they tell, when they stop, and how many calls they send at once."""

import asyncio
import threading
import time

import pytest

from synth import PromptTemplate, get_response_synthesizer
from synth.errors import ModelError, RateLimited
from synth.llms import FunctionLLM
from synth.prompts.packing import placeholder_answer
from synth.runs.events import Failed, Started
from synth.text.model_tokenizers import get_tokenizer
from tests.plans import answers

CHUNKS = ["alpha", "bravo", "charlie", "delta", "echo"]
TEMPLATE = PromptTemplate("{context_str}")


def accumulate(fn, **options):
    return get_response_synthesizer(
        "accumulate", FunctionLLM(fn), text_qa_template=TEMPLATE, **options
    )


async def test_however_it_is_run_what_the_log_answers_is_not_asked_again():
    synthesizer = accumulate(str.upper)
    log = synthesizer.run("q", CHUNKS[:2]).log()
    traces = [
        synthesizer.run("q", CHUNKS[:3], log=log),
        await synthesizer.arun("q", CHUNKS[:3], log=log),
        list(synthesizer.stream("q", CHUNKS[:3], log=log))[-1].trace,
        [event async for event in synthesizer.astream("q", CHUNKS[:3], log=log)][-1].trace,
    ]
    for trace in traces:
        assert [call.replayed for call in trace.calls] == [True, True, False]


def stop_iteration(prompt):
    raise StopIteration("not the end of the mode")


@pytest.mark.parametrize("fn", [stop_iteration, lambda prompt: 1 / 0])
async def test_any_exception_of_a_model_is_a_failed_call(fn):
    failed = r"Call 1 \(text_qa_template\) failed: .*(StopIteration|division by zero)"
    for options in ({}, {"use_async": True}):
        with pytest.raises(ModelError, match=failed):
            accumulate(fn, max_concurrency=1, **options).run("q", CHUNKS)
    with pytest.raises(ModelError, match=failed):
        await asyncio.wait_for(accumulate(fn).arun("q", CHUNKS), 30)


async def test_a_task_that_is_cancelled_sends_nothing_further():
    begun, go_on, asked = threading.Event(), threading.Event(), []

    def fn(prompt):
        asked.append(prompt)
        begun.set()
        go_on.wait(20)
        return prompt

    task = asyncio.create_task(accumulate(fn, max_concurrency=1).arun("q", CHUNKS))
    await asyncio.to_thread(begun.wait, 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()
    await accumulate(str.upper).arun("q", CHUNKS)
    assert len(asked) == 1


class Stopping:
    """Stops a run at one of its events, and counts the calls that are sent afterwards."""

    def __init__(self, at):
        self.at = at
        self.stop = threading.Event()
        self.late = []
        self.events = []

    def answer(self, prompt):
        if self.stop.is_set():
            self.late.append(prompt)
        time.sleep(0.001)
        return prompt

    def take(self, event):
        self.events.append(event)
        if len(self.events) == self.at:
            time.sleep(0.01)  # in which calls go out whose starts were taken before
            self.stop.set()


@pytest.mark.parametrize("concurrency", [1, 2, 8])
@pytest.mark.parametrize("at", [1, 2, 3, 7, 12])
async def test_none_of_a_batch_is_sent_after_stop(concurrency, at):
    for use_async in (False, True):
        run = Stopping(at)
        mode = accumulate(run.answer, use_async=use_async, max_concurrency=concurrency)
        for event in mode.stream("q", MANY, stop=run.stop):
            run.take(event)
        check_nothing_is_late(run)
    run = Stopping(at)
    mode = accumulate(run.answer, max_concurrency=concurrency)
    async for event in mode.astream("q", MANY, stop=run.stop):
        run.take(event)
    check_nothing_is_late(run)


def check_nothing_is_late(run):
    trace = run.events[-1].trace
    assert run.late == []
    assert trace.stopped
    unsent = [event.call for event in run.events if isinstance(event, Failed)]
    sent = {call.number for call in unsent if call.tries}
    assert {call.number for call in trace.calls if call.error} == sent
    started = [event.call.number for event in run.events if isinstance(event, Started)]
    assert len(started) == len(set(started))
    assert {call.number for call in unsent} <= set(started)


class InFlight:
    """Counts how many calls are being answered at once; each waits until `enough` are."""

    def __init__(self, enough):
        self.lock = threading.Lock()
        self.now = self.most = 0
        self.full = threading.Event()
        self.enough = enough

    def __call__(self, prompt):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
            if self.now == self.enough:
                self.full.set()
        self.full.wait(20)
        with self.lock:
            self.now -= 1
        return prompt


MANY = [f"chunk {number}" for number in range(40)]


async def test_calls_go_out_together_as_many_as_allowed_and_only_if_asked():
    for options, most in (({}, 1), ({"use_async": True, "max_concurrency": 5}, 5)):
        model = InFlight(enough=most)
        trace = accumulate(model, **options).run("q", MANY)
        assert model.most == most
        assert answers(trace) == MANY
    model = InFlight(enough=12)  # more than asyncio's own pool of threads on a small machine
    trace = await accumulate(model, max_concurrency=12).arun("q", MANY)
    assert model.most == 12
    assert answers(trace) == MANY


@pytest.mark.parametrize("taken", range(1, 30, 4))
@pytest.mark.parametrize("use_async", [False, True])
def test_whoever_stops_reading_stops_the_run(taken, use_async):
    asked = []
    events = accumulate(
        lambda prompt: asked.append(prompt) or prompt, use_async=use_async, max_concurrency=4
    ).stream("q", MANY)
    seen = [next(events) for _ in range(taken)]
    events.close()  # it waits for the threads
    assert set(asked) <= {event.call.prompt.text for event in seen if isinstance(event, Started)}


def test_a_failure_among_many_stops_the_rest():
    asked = []

    def fn(prompt):
        asked.append(prompt)
        raise RateLimited("slow down")

    with pytest.raises(RateLimited):
        accumulate(fn, use_async=True, max_concurrency=2).run("q", MANY)
    assert len(asked) <= 2


@pytest.mark.parametrize("tokens", [0, 1, 7, 256])
def test_a_stand_in_has_the_tokens_asked_for(tokens):
    for name in ("cl100k_base", "o200k_base"):
        tokenizer = get_tokenizer(name)
        assert tokenizer.count(placeholder_answer(tokenizer, tokens)) == tokens
    assert len(placeholder_answer(get_tokenizer(list), tokens)) == tokens
