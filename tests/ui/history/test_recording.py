"""A run is saved as it happens, comes back to the letter, and goes on from there."""

import threading
from dataclasses import replace
from itertools import pairwise

import pytest

from synth.llms import FunctionLLM
from synth.runs.calls import Logged, Spent, prompt_hash
from synth.runs.events import Cap
from synth.runs.prices import Price
from tests.eventually import eventually
from tests.ui.history.recorded import (
    WORKSPACE,
    Failing,
    ended,
    going_on,
    reply,
    request_of,
    run,
    saved,
    waiting,
)
from ui.history import summaries
from ui.history.run_rows import Parent
from ui.history.saved_run import latest, load
from ui.history.summaries import Filter
from ui.runs.job import Past
from ui.runs.start import reopened
from ui.settings.request import Model

ODD = ("Half a pair \ud800, a \0, \u202e and 🚀. " * 9, "连接池太小。" * 60, " ")


def summary(history, run_id):
    with history.read() as connection:
        return summaries.by_id(connection, history, WORKSPACE, run_id)


@pytest.mark.parametrize("mode", ["refine", "tree_summarize", "accumulate", "no_text"])
def test_a_run_comes_back_to_the_letter(history, mode):
    request = request_of(mode)
    job = saved(request)
    back = load(history, WORKSPACE, job.run)
    assert back.request == request
    assert back.trace == job.trace
    assert back.trace.coverage == job.trace.coverage
    assert back.trace.seconds == job.trace.seconds
    assert back.summary.state == "done"
    assert back.summary.seconds == job.trace.seconds


def test_text_that_a_database_cannot_hold_comes_back_too(history):
    request = request_of("compact", "why \0 \ud800?", text_chunks=ODD)
    job = saved(request, lambda prompt: "so \0 and \udfff")
    back = load(history, WORKSPACE, job.run)
    assert (back.request, back.trace) == (request, job.trace)
    assert back.trace.log() == job.trace.log()
    assert back.summary.question == "why  ??"


def test_each_answer_is_saved_before_anybody_sees_it(history):
    asked, go = threading.Semaphore(0), threading.Semaphore(0)

    def fn(prompt):
        asked.release()
        go.acquire()
        return reply(prompt)

    job = run(request_of(), fn)
    for answered in range(3):
        asked.acquire()
        back = (
            load(history, WORKSPACE, job.run)
            if answered
            else latest(history, WORKSPACE, "Playground")
        )
        assert [call.answer for call in back.trace.calls] == [c.answer for c in job.answered]
        assert len(back.trace.calls) == answered
        assert back.summary.state == "running"
        assert back.summary.calls == back.summary.requests == answered
        go.release()
    job.stop()
    go.release(20)
    job.wait()
    assert summary(history, job.run).state == "stopped"


@pytest.mark.slow
def test_a_request_that_may_cost_something_is_saved_before_it_is_sent(history):
    seen = []

    def fn(prompt):
        seen.append(latest(history, WORKSPACE, "Playground").summary)
        return reply(prompt)

    priced = Model("endpoint", "some-model", price=Price(1.0, 10.0))
    request = request_of(model=priced)
    job = saved(request, fn)
    for answered, found in enumerate(seen):
        sent = job.trace.calls[: answered + 1]
        assert (found.calls, found.requests, found.unsure) == (answered, answered + 1, 1)
        assert found.prompt_tokens == sum(call.prompt_tokens for call in sent)
        output = sum(call.output_tokens for call in sent[:-1]) + request.num_output
        assert found.output_tokens == output  # as the cap sets it aside
        assert found.dollars == pytest.approx(priced.price.of(found.prompt_tokens, output))
    found = summary(history, job.run)
    spent = job.spent
    assert (found.requests, found.prompt_tokens, found.output_tokens) == tuple(spent)
    assert found.dollars == pytest.approx(priced.price.of(*spent.tokens))
    assert (found.model, found.unsure) == ("some-model", 0)
    unknown = saved(request_of(model=replace(priced, price=None)))
    assert summary(history, unknown.run).dollars is None


def test_a_resumed_run_counts_the_request_that_was_under_way(history):
    """Its cap and its totals have the request of the process that died, with the longest answer."""
    request = request_of(model=Model("endpoint", "some-model"))
    with waiting(request):
        going = latest(history, WORKSPACE, "Playground")
        past = going_on(going)
        assert past.spent == Spent(1, going.summary.prompt_tokens, request.num_output)
        cap = Cap(calls=3, spent=past.spent)
        llm = FunctionLLM(
            reply, context_window=request.context_window, num_output=request.num_output
        )
        stopped = request.synthesizer(llm, cap=cap).stream(request.query_str, request.text_chunks)
        *_, end = stopped
        assert len(end.trace.calls) == 2  # the third request is the one that was under way
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(history.presence), "living", lambda *_: set())
            again = saved(request, past=past)
    found = summary(history, going.summary.id)
    assert again.run == found.id
    assert found.calls == len(again.trace.calls)
    assert (found.requests, found.unsure) == (found.calls + 1, 1)


@pytest.mark.slow
def test_a_failed_run_is_resumed_as_the_same_run(history):
    whole = saved(request_of(query_str="as a whole?"), lambda prompt: "x")
    model = Failing(at=3)
    job = ended(request_of(), model)
    failed = load(history, WORKSPACE, job.run)
    assert failed.summary.state == "failed"
    assert "out of order" in failed.summary.problem
    assert [call.number for call in failed.trace.calls] == [1, 2, 3]
    again = saved(request_of(), model, going_on(failed))
    assert again.run == job.run
    done = load(history, WORKSPACE, job.run)
    assert done.summary.state == "done"
    assert done.summary.problem is None
    assert done.trace.calls[:2] == failed.trace.calls[:2]
    assert_one_clock(done)
    assert done.summary.seconds == done.trace.seconds
    assert_one_clock(again)
    assert done.trace == again.trace
    assert not any(call.replayed for call in [*done.trace.calls, *again.trace.calls])
    assert len(model.prompts) == len(done.trace.calls) + 1  # only the failed prompt twice
    assert len(set(model.prompts)) == len(done.trace.calls)
    assert done.summary.requests == done.trace.call_count + 1
    assert summaries.found(history, WORKSPACE, Filter()).count == 2
    assert whole.run != job.run


def assert_one_clock(run):
    """The calls of one attempt follow those of the attempt before."""
    calls = run.trace.calls
    for earlier, later in pairwise(calls):
        assert earlier.started + earlier.seconds <= later.started
    assert calls[-1].started + calls[-1].seconds <= run.trace.seconds


def test_a_branch_is_a_run_of_its_own_that_knows_its_parent(history):
    first = saved(request_of())
    trace = first.trace
    call = trace.calls[1]
    log = trace.log() | {2: Logged(prompt_hash(call.prompt), "a person's answer", output_tokens=4)}
    past = Past(log, frozenset({2}), parent=Parent(first.run, 2))
    branch = saved(request_of(), past=past)
    back = load(history, WORKSPACE, branch.run)
    assert (back.summary.parent, back.summary.parent_call) == (first.run, 2)
    assert back.edited == {2}
    assert back.trace.calls[1].answer == "a person's answer"
    assert back.trace == branch.trace
    assert back.summary.requests == back.summary.calls - 2  # two answers were there
    assert load(history, WORKSPACE, first.run).trace == trace


@pytest.mark.slow
def test_runs_on_the_same_chunks_keep_them_once(history):
    for mode in ("refine", "compact", "accumulate"):
        saved(request_of(mode))
    with history.read() as connection:
        lists = connection.exec_driver_sql("SELECT count(*) FROM chunk_list").scalar()
    assert lists == 1


def test_a_reopened_run_is_shown_as_it_was_and_asks_nothing(history):
    model = Failing(at=4)
    job = ended(request_of(), model)
    again = reopened(load(history, WORKSPACE, job.run))
    again.wait()
    assert again.trace == job.trace
    assert again.spent == job.spent
    assert again.run == job.run
    assert len(model.prompts) == 4


def test_a_late_attempt_does_not_write_over_the_one_that_took_the_run_over(history):
    asked, go = threading.Event(), threading.Event()

    def slow(prompt):
        asked.set()
        go.wait()
        return "late"

    first = run(request_of("accumulate"), slow)
    asked.wait()
    first.stop()
    eventually(lambda: not first.running, "the stop")
    second = saved(request_of("accumulate"), past=Past(run=first.run))
    go.set()
    first.wait()
    back = load(history, WORKSPACE, first.run)
    assert back.trace == second.trace
    assert back.summary.state == "done"
