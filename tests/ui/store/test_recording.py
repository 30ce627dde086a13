"""A run is saved as it happens, goes on from there, and is found again, changed and deleted."""

import threading
from dataclasses import replace
from itertools import pairwise

import pytest

from synth.llms import FunctionLLM
from synth.runs.calls import Spent
from synth.runs.events import Cap
from synth.runs.prices import Price
from tests.eventually import eventually
from tests.plans import answers
from tests.ui.store.recorded import (
    WORKSPACE,
    Failing,
    ended,
    going_on,
    latest,
    reply,
    request_of,
    run,
    saved,
    waiting,
)
from ui.settings.request import Model
from ui.store import runs as saved_runs
from ui.store.runs import find_earlier_texts, load_run

ODD = ("Half a pair \ud800, a \0, \u202e and 🚀. " * 9, "连接池太小。" * 60, " ")


ANY_ODD = {"query_str": "why \0 \ud800?", "text_chunks": ODD}


@pytest.mark.parametrize(
    ("mode", "odd"),
    [("refine", {}), ("tree_summarize", {}), ("no_text", {}), ("compact", ANY_ODD)],
)
def test_a_run_comes_back_to_the_letter(store, mode, odd):
    """Also text that a database's own can't hold."""
    request = request_of(mode, **odd)
    job = saved(request, (lambda prompt: "so \0 and \udfff") if odd else reply)
    back = load_run(store, WORKSPACE, job.run)
    assert back.request == request
    assert back.trace == job.trace
    assert back.trace.log() == job.trace.log()
    assert back.trace.coverage == job.trace.coverage
    assert back.trace.seconds == back.info.seconds == job.trace.seconds
    assert back.info.state == "done"
    assert back.info.question == ("why  ??" if odd else request.query_str)


def test_each_answer_is_saved_before_anybody_sees_it(store):
    asked, go = threading.Semaphore(0), threading.Semaphore(0)

    def fn(prompt):
        asked.release()
        go.acquire()
        return reply(prompt)

    job = run(request_of(), fn)
    for answered in range(3):
        asked.acquire()
        back = load_run(store, WORKSPACE, job.run) if answered else latest(store)
        assert answers(back.trace) == [c.answer for c in job.answered]
        assert len(back.trace.calls) == answered
        assert back.info.state == "running"
        assert back.info.calls == back.info.requests == answered
        go.release()
    job.stop()
    go.release(20)
    job.wait()
    assert load_run(store, WORKSPACE, job.run).info.state == "stopped"


@pytest.mark.slow
def test_a_request_that_may_cost_something_is_saved_before_it_is_sent(store):
    seen = []

    def fn(prompt):
        seen.append(latest(store).info)
        return reply(prompt)

    priced = Model("endpoint", "some-model", price=Price(1.0, 10.0))
    request = request_of(model=priced)
    job = saved(request, fn)
    for answered, found in enumerate(seen):
        sent = job.trace.calls[: answered + 1]
        assert (found.calls, found.requests) == (answered, answered + 1)
        assert found.prompt_tokens == sum(call.prompt_tokens for call in sent)
        output = sum(call.output_tokens for call in sent[:-1]) + request.num_output
        assert found.output_tokens == output  # as the cap sets it aside
        assert found.dollars == pytest.approx(priced.price.of(found.prompt_tokens, output))
    found = load_run(store, WORKSPACE, job.run).info
    spent = job.spent
    assert (found.requests, found.prompt_tokens, found.output_tokens) == spent[:3]
    assert found.dollars == pytest.approx(priced.price.of(*spent.tokens))
    assert found.model == "some-model"
    unknown = saved(request_of(model=replace(priced, price=None)))
    assert load_run(store, WORKSPACE, unknown.run).info.dollars is None


def test_a_resumed_run_counts_the_request_that_was_under_way(store):
    """Its cap and its totals have the request of the process that died, with the longest answer."""
    request = request_of(model=Model("endpoint", "some-model"))
    with waiting(request):
        going = latest(store)
        assert going.info.spent == Spent(1, going.info.prompt_tokens, request.num_output)
        cap = Cap(calls=3, spent=going.info.spent)
        llm = FunctionLLM(
            reply, context_window=request.context_window, num_output=request.num_output
        )
        stopped = request.synthesizer(llm, cap=cap).stream(request.query_str, request.text_chunks)
        *_, end = stopped
        assert len(end.trace.calls) == 2  # the third request is the one that was under way
        again = saved(request, **going_on(going))
    found = load_run(store, WORKSPACE, going.info.id).info
    assert again.run == found.id
    assert found.calls == len(again.trace.calls)
    assert found.requests == found.calls + 1


@pytest.mark.slow
def test_a_failed_run_is_resumed_as_the_same_run(store):
    model = Failing(at=3)
    job = ended(request_of(), model)
    failed = load_run(store, WORKSPACE, job.run)
    assert failed.info.state == "failed"
    assert "out of order" in failed.info.problem
    assert [call.number for call in failed.trace.calls] == [1, 2, 3]
    again = saved(request_of(), model, **going_on(failed))
    assert again.run == job.run
    done = load_run(store, WORKSPACE, job.run)
    assert done.info.state == "done"
    assert done.info.problem is None
    assert done.trace.calls[:2] == failed.trace.calls[:2]
    assert_one_clock(done)
    assert done.info.seconds == done.trace.seconds
    assert_one_clock(again)
    assert done.trace == again.trace
    assert not any(call.replayed for call in [*done.trace.calls, *again.trace.calls])
    assert len(model.prompts) == len(done.trace.calls) + 1  # only the failed prompt twice
    assert len(set(model.prompts)) == len(done.trace.calls)
    assert done.info.requests == done.trace.call_count + 1
    assert saved_runs.find(store, WORKSPACE).count == 1


def assert_one_clock(run):
    calls = run.trace.calls
    for earlier, later in pairwise(calls):
        assert earlier.started + earlier.seconds <= later.started
    assert calls[-1].started + calls[-1].seconds <= run.trace.seconds


def test_a_late_attempt_does_not_write_over_the_one_that_took_the_run_over(store):
    asked, go = threading.Event(), threading.Event()

    def slow(prompt):
        asked.set()
        go.wait()
        return "late"

    first = run(request_of("accumulate"), slow)
    asked.wait()
    first.stop()
    eventually(lambda: not first.running, "the stop")
    second = saved(request_of("accumulate"), info=first.info_now, earlier=first.trace)
    go.set()
    first.wait()
    back = load_run(store, WORKSPACE, first.run)
    assert back.trace == second.trace
    assert back.info.state == "done"


PAID = Model("endpoint", "big-model", price=Price(1.0, 2.0))


@pytest.fixture
def three(store):
    return [
        saved(request_of("refine", "Why did the POOL drain?"), lambda _: "100% of Ölpumpen").run,
        saved(request_of("compact", "车辆在暴雨中被淹没"), lambda _: "the pool_size was 8").run,
        saved(request_of("accumulate", "Who knew?", model=PAID), lambda _: "nobody").run,
    ]


def ids(store, **wanted) -> list[str]:
    return [run.id for run in saved_runs.find(store, WORKSPACE, **wanted).runs]


FOUND = {
    "": [2, 1, 0],
    "pool": [1, 0],
    "PooL why": [0],
    "暴雨": [1],
    "ÖLPUMPEN": [0],
    "100%": [0],
    "l_s": [1],
    "o%l": [],
    "\0 \ud800 who": [2],  # half a pair is searched for as it is shown, as "?"
    "'; DROP TABLE run; --": [],
}


@pytest.mark.slow
def test_words_are_searched_in_questions_and_answers(store, three):
    for words, expected in FOUND.items():
        assert ids(store, words=words) == [three[number] for number in expected], words


@pytest.mark.slow
def test_runs_are_filtered_and_a_page_of_them_says_how_many_there_are(store, three):
    assert ids(store, words="compact") == [three[1]]
    assert ids(store, words="big-MODEL") == [three[2]]
    assert ids(store, kind="made here") == three[::-1]
    assert ids(store, kind="from a file") == []
    page = saved_runs.find(store, WORKSPACE, limit=1)
    assert page.count == 3
    assert [run.id for run in page.runs] == [three[2]]


def test_names_and_notes_are_kept_and_found(store, three):
    saved_runs.change(store, WORKSPACE, [three[0]], name="  The Pool, \0again ")
    saved_runs.change(store, WORKSPACE, [three[1]], note="for the Review")
    assert ids(store, words="review") == [three[1]]
    assert ids(store, words="again") == [three[0]]
    found = {run.id: run for run in saved_runs.find(store, WORKSPACE).runs}
    assert found[three[0]].name == "The Pool, again"
    assert found[three[1]].note == "for the Review"
    saved_runs.change(store, WORKSPACE, [three[1]], note="")
    assert ids(store, words="review") == []


def test_another_workspace_reads_and_changes_nothing(store, three):
    assert load_run(store, "another", three[0]) is None
    assert latest(store, "another") is None
    assert find_earlier_texts(store, WORKSPACE, "text_qa_template")
    assert not find_earlier_texts(store, "another", "text_qa_template")
    saved_runs.change(store, "another", [three[0]], name="mine")
    saved_runs.change(store, "another", three, deleted=1.0)
    assert ids(store) == three[::-1]
    assert ids(store, words="mine") == []
