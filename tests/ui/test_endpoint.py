"""A server behind the page: what it says of itself, what is sent, what is said, how to go on."""

import pytest

from tests.eventually import eventually
from tests.fake_counting import FakeServer
from tests.fake_openai import Answer, Failure, FakeOpenAI
from tests.llms.faults import SOON
from tests.ui.page import Playground, endpoint
from ui.export.downloads import run_downloads
from ui.settings import served
from ui.workspaces import files
from ui.workspaces.files import WorkspaceFile

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


CHUNKS = ("The pump failed at noon.", "A valve was closed by hand.")  # each count is a request


@pytest.mark.parametrize("kind", ["llama.cpp", "vLLM"])
def test_a_server_that_counts_counts_for_the_page_and_its_runs(kind):
    with FakeServer(kind, window=2_048) as server:
        page = endpoint(server, context_window=2_048, mode="refine", chunks=CHUNKS)
        assert "Estimated with" in page.text
        page.press("Test")
        assert f"{kind}: window 2,048" in page.said_of_model
        assert "It counts each prompt before it is sent." in page.said_of_model
        assert "stimated with" not in page.text
        page.finish().set(view="calls")
        trace = page.job.trace
    assert len(trace.calls) == 2
    assert all(call.prompt_tokens == call.reported_prompt_tokens for call in trace.calls)
    assert f"The server counts the same:</b> {trace.counts.ours:,} prompt tokens in" in page.text
    table = page.table("server")
    assert list(table["server"]) == list(table["prompt"])


def test_a_smaller_window_is_said_and_can_be_taken():
    with FakeServer("Ollama", window=4_096) as server:
        page = endpoint(server, context_window=8_192)
        page.press("Test")
        assert "Ollama: window 4,096, trained 8,192, this page 8,192." in page.said_of_model
        assert "It cuts what is longer without a word." in page.said_of_model
        page.press("Set the window to 4,096")
        assert page.settings.context_window == 4_096
        assert "It counts with each answer." in page.said_of_model
        assert "this page" not in page.said_of_model


def test_what_the_server_said_is_saved_and_neither_its_key_nor_for_others_its_address():
    with FakeServer("llama.cpp", key="sk-secret-1234") as server:
        page = endpoint(server, chunks=CHUNKS)
        page.type_key("sk-secret-1234").press("Test")
        assert "stimated with" not in page.text
        assert "sk-secret" not in repr(page.settings) + page.settings.model_dump_json()
        [facts] = page.settings.served.values()
        assert facts.kind == "llama.cpp"
        assert "127.0.0.1" not in files.write(WorkspaceFile(page.space.values))
        named = page.settings.with_({"base_url": "http://me:secret@host/v1"})
        assert "secret" not in repr(served.with_facts(named, facts))


def test_a_server_that_is_gone_leaves_an_estimate():
    with FakeServer("llama.cpp") as server:
        page = endpoint(server, chunks=CHUNKS).press("Test")
        assert "stimated with" not in page.text
        server.stop()
        page.set(query_str="A question with words that were never counted: zyxwv?").draw()
        assert "estimated with o200k_base" in page.html
        assert "It does not count at present." in page.said_of_model
