"""A server behind the page: what it says of itself, what is sent, what is said, how to go on."""

import pytest

from synth.runs.calls import Spent
from tests.eventually import eventually
from tests.fake_openai import Answer, Failure, FakeOpenAI, Words
from tests.llms.faults import SOON
from tests.ui.page import Playground, endpoint
from ui.export.share import run_downloads
from ui.store.runs import load_run
from ui.store.store import current_store

pytestmark = pytest.mark.slow

LOADING = Failure(503, "Loading model", SOON)


def test_a_test_sends_what_a_run_sends():
    with FakeOpenAI(Answer("ok then", usage_choice=True)) as server:
        page = endpoint(server, temperature=0.5, seed=3, reasoning_effort="low", num_output=200)
        assert "It answers." in page.press("Test").said_of_model
        page.finish()
    calls = [one for one in server.requests if one.path.endswith("/chat/completions")]
    tested, *ran = (request.body for request in calls)
    assert tested["stream"] is True
    assert {**tested, "messages": ran[0]["messages"]} == ran[0]


def test_a_test_without_a_key_says_so_where_one_is_wanted():
    with FakeOpenAI(Failure(401, "No connected db.")) as server:
        page = endpoint(server)
        assert "No key was sent" in page.press("Test").said_of_model
        page.type_key("sk-mine")
        assert "Check the API key" in page.press("Test").said_of_model
    assert [one.authorization for one in server.requests] == ["Bearer none", "Bearer sk-mine"]


@pytest.mark.parametrize("address", ["ftp://host/v1", "http://[::1"])
def test_an_address_that_is_none_is_told_wherever_it_is_used(address):
    page = Playground(model="endpoint", base_url=address, model_name="m", mode="generation")
    for button in ("List models", "Test"):
        assert "must be a full address" in page.press(button).said_of_model
    assert "must be a full address" in page.text
    assert not page.can_run


def test_a_run_says_what_was_sent_again():
    with FakeOpenAI(Answer("first"), LOADING, Answer("second")) as server:
        page = endpoint(server, mode="refine", chunks=("One.", "Two.", "Three.")).finish()
        assert "1 request had to be sent again." in page.text
        assert page.job.spent.calls == len(server.requests) == 4
        page.set(view="calls", call=2)
        assert "Note: Try 1 failed." in page.text
        assert "try 2</" in page.text
    assert any("Loading model" in note for call in page.job.trace.calls for note in call.retried)
    for file in run_downloads(page.job, page.job.trace):
        made = file.make()
        text = made if isinstance(made, str) else made.decode()
        assert "Loading model" not in text, file.file_name
        assert "127.0.0.1" not in text, file.file_name


def test_a_run_that_waits_to_send_again_says_why():
    with FakeOpenAI(Failure(503, "Loading model", {"Retry-After": "30"})) as server:
        page = endpoint(server, mode="generation").press("run_button")
        eventually(lambda: page.job.repeated, "a request that is to be sent again")
        assert "Call 1, try 2: Try 1 failed." in page.draw().text
        assert "wait 30 seconds" in page.text
        page.press("stop_button")
        assert "The run was stopped." in page.text
    assert len(server.requests) == 1


def test_the_history_has_what_the_server_counted():
    with FakeOpenAI(Words(300, obeys="nothing", prompt_tokens=5000)) as server:
        page = endpoint(server, mode="generation").finish()
    assert page.job.spent == Spent(1, 5000, 300)
    assert "gave more than the 128 tokens asked for" in page.text
    found = load_run(current_store(), page.space.id, page.job.run).info
    assert (found.requests, found.prompt_tokens, found.output_tokens) == (1, 5000, 300)


GONE = "The API key ended with its session."


def test_a_refresh_says_that_no_key_would_be_sent():
    with FakeOpenAI(Answer("first"), Failure(400, "odd"), Answer("last")) as server:
        page = endpoint(server, mode="refine").type_key("sk-mine").finish()
        assert "1 answer is kept." in page.text
        assert GONE not in page.text
        page.open()
        assert GONE in page.text
        assert GONE not in page.type_key("sk-mine").text
        page.open().finish("resume")
    assert [one.authorization for one in server.requests][:3] == ["Bearer sk-mine"] * 2 + [
        "Bearer none"
    ]
