"""The model on this machine on the pages: who is offered it, what it says of itself, a run."""

import pytest

from synth.errors import ModelUnreachable, SynthError
from synth.llms import on_this_machine
from synth.llms.on_this_machine import LocalServer
from tests.fake_counting import CountingServer
from tests.fake_openai import Answer, FakeOpenAI, Silence
from tests.ui.page import Playground
from ui.runs import start
from ui.session import browser
from ui.store.rows import Run, RunInfo, write_file

pytestmark = pytest.mark.slow

KIND = "on_this_machine"


@pytest.fixture(autouse=True)
def _at_home_with_a_model(monkeypatch):
    """Whoever started the app has a model file, and llama.cpp; none is started by itself."""
    monkeypatch.setattr(browser, "is_own_machine", lambda: True)
    monkeypatch.setattr(on_this_machine, "find_spec", lambda name: name)
    monkeypatch.setattr(on_this_machine, "start_server", not_to_be_started)
    monkeypatch.setenv("SYNTH_GGUF", "/models/mine.gguf")


def not_to_be_started():
    raise AssertionError("the server is started")


@pytest.fixture
def away(monkeypatch):
    """The browser is a stranger's."""
    monkeypatch.setattr(browser, "is_own_machine", lambda: False)


@pytest.fixture
def without(monkeypatch):
    """There is no llama.cpp."""
    monkeypatch.setattr(on_this_machine, "find_spec", lambda name: None)


@pytest.fixture
def served(monkeypatch):
    """A function that begins a page with this model, and answers in its place."""
    servers = []

    def begin(*replies, **settings):
        server = FakeOpenAI(*replies)
        servers.append(server.__enter__())
        running = LocalServer(None, server.base_url, "its key", 4_096)
        monkeypatch.setattr(on_this_machine, "start_server", lambda: running)
        return server, Playground(model=KIND, **settings)

    yield begin
    for server in servers:
        server.__exit__(None, None, None)


def offered(page):
    models = page.find("model")
    return [label for label in models.options if label == "This machine"]


def test_it_is_offered_to_whoever_started_the_app():
    assert len(offered(Playground())) == 1


@pytest.mark.parametrize(
    ("missing", "words"),
    [("away", "answers only whoever started the app"), ("without", "`make tiny` installs one")],
)
def test_others_are_not_offered_it_and_nothing_is_started(missing, words, request):
    request.getfixturevalue(missing)
    assert offered(Playground()) == []
    page = Playground(model=KIND)
    assert words in page.said_of_model
    assert not page.can_run
    with pytest.raises(SynthError, match=words):
        start.model_for(page.settings)


def test_its_answers_are_those_of_the_file_and_cost_nothing(served):
    server, page = served(Answer("It was closed."), temperature=0.5, timeout=1, cap_dollars=0.1)
    assert "The answers are those of mine.gguf" in page.said_of_model
    page.finish()
    assert page.job.trace.response == "It was closed."
    assert page.job.request.model.label == "mine.gguf, on this machine · temperature 0.5"
    assert page.job.dollars == 0
    [request, *_] = [one for one in server.requests if one.path == "/v1/chat/completions"]
    assert request.headers["Authorization"] == "Bearer its key"
    assert request.body["temperature"] == 0.5


def test_the_page_says_what_it_reads_before_its_first_word(served):
    _, page = served(Silence())
    page.press("run_button")
    assert "mine.gguf is reading its prompt." in page.draw().text
    page.job.stop()


def test_its_server_counts_for_the_page_and_its_runs_whatever_its_port(monkeypatch):
    chunks = ("The pump failed at noon.", "A valve was closed by hand.")  # each is a request
    names = set()
    for _ in range(2):
        with CountingServer() as server:
            running = LocalServer(None, server.base_url, "its key", 4_096)
            monkeypatch.setattr(on_this_machine, "start_server", lambda running=running: running)
            page = Playground(model=KIND, mode="refine", chunks=chunks)
            assert "stimated with" not in page.text
            page.finish()
            trace, request = page.job.trace, page.job.request
            names.add(request.tokenizer)
            assert "server" not in write_file(Run(RunInfo(), request, trace))
    assert names == {"server on_this_machine mine.gguf"}
    counts = [(call.prompt_tokens, call.reported_prompt_tokens) for call in trace.calls]
    assert counts == [(theirs, theirs) for _, theirs in counts]
    assert len(counts) == 2


def test_its_window_is_that_of_the_server(served):
    _, page = served(Answer("x"), context_window=8_192)
    assert "Window 4,096 tokens, from the server." in page.said_of_model
    page.press("Set the window to 4,096")
    assert page.settings.context_window == 4_096


def test_one_that_can_not_be_started_says_why(monkeypatch):
    def broken():
        raise ModelUnreachable("there is no memory for it")

    monkeypatch.setattr(on_this_machine, "start_server", broken)
    page = Playground(model=KIND)
    assert "there is no memory for it" in page.said_of_model
    page.finish()
    assert page.job.problem == "there is no memory for it"
