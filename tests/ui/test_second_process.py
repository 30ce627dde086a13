"""The second process: what it gives back, and what happens where it gives nothing."""

import os
import signal
from threading import Lock
from time import sleep

import pytest

from synth.tokens import get_tokenizer
from tests.eventually import SECONDS, eventually
from tests.recipes import make_request
from ui.look.theme import LIGHT
from ui.plan.plan_range import plan_range
from ui.playground import ahead
from ui.session import second_process, workspace
from ui.session.second_process import SecondProcess, Unavailable

pytestmark = pytest.mark.slow

CHUNKS = tuple(f"The pump of house {number} stood still at noon. " * 12 for number in range(12))


@pytest.fixture(scope="module")
def process():
    started = SecondProcess()
    assert started.ready.wait(60)
    return started


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A busy machine takes its time."""
    monkeypatch.setattr(second_process, "_PATIENCE", SECONDS)


@pytest.fixture(autouse=True)
def space():
    """A workspace of its own for each test."""
    registry = workspace.Registry()
    workspace.stand_in(registry, registry.find(None).id)


def asked(mode):
    return make_request(mode, "What failed?", CHUNKS, 1_200)


def test_it_gives_what_the_page_would_make_itself(process):
    request = asked("compact")
    cards = [request, asked("tree_summarize")]
    results = process.call(ahead._results, request, cards, LIGHT.dark)
    assert {result.kind for result in results} == ahead._KINDS
    assert results == ahead._results(request, cards, LIGHT.dark)


def test_what_it_gives_is_found_in_the_memory(process, monkeypatch):
    request = asked("compact")
    for result in process.call(ahead._results, request, [request], LIGHT.dark):
        workspace.current().remember(result)
    monkeypatch.setattr("ui.plan.plan_range._planned", None)
    assert plan_range(request).high.prompt_tokens > 0


def test_a_tokenizer_is_one_in_each_process(process):
    plain = get_tokenizer("o200k_base")
    special = plain.with_special_tokens()
    assert process.call(special.with_special_tokens) is special
    assert process.call(get_tokenizer, plain) is plain


def test_where_a_function_fails_there_is_no_result_and_the_next_question_is_answered(process):
    with pytest.raises(Unavailable):
        process.call(int, "no number")
    with pytest.raises(Unavailable):
        process.call(Lock)  # which can't leave its process
    assert process.call(int, "12") == 12


def test_nobody_waits_for_what_takes_long_and_its_late_answer_is_nobody_elses(process, monkeypatch):
    monkeypatch.setattr(second_process, "_PATIENCE", 0.01)
    for _ in range(second_process._PIPES + 1):  # at last no pipe is free
        with pytest.raises(Unavailable):
            process.call(sleep, 0.1)
    monkeypatch.setattr(second_process, "_PATIENCE", 60)
    eventually(lambda: not (process._take_late_answers() or process._late), "all are answered")
    assert process.call(int, "12") == 12


def test_a_long_question_is_not_sent(process):
    with pytest.raises(Unavailable):
        process.call(len, "a" * 100_000)
    assert process.call(len, "a" * 99_000) == 99_000


def test_it_counts_with_the_memory_of_the_same_workspace(process):
    assert process.call(_workspace_id) == workspace.current().id


def _workspace_id():
    return workspace.current().id


def test_after_its_end_another_one_is_started():
    latest = second_process._Latest()
    first = latest()
    with pytest.raises(Unavailable):  # it is starting
        first.call(int, "1")
    assert first.ready.wait(60)
    os.kill(first.call(os.getpid), signal.SIGKILL)
    with pytest.raises(Unavailable):
        first.call(int, "1")
    other = latest()
    assert other is not first is not latest()
    assert other.ready.wait(60)
    assert other.call(int, "1") == 1


def test_it_ends_with_its_server():
    process = SecondProcess()
    assert process.ready.wait(60)
    number = process.call(os.getpid)
    for pipe in list(process._free.queue):
        pipe.close()
    eventually(lambda: not _runs(number), "the second process has ended")


def _runs(number):
    try:
        return os.waitpid(number, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return False
