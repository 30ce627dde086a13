"""Test asks the server what it is; its counts and its window are then those of the page."""

import pytest

from tests.fake_counting import FakeServer
from tests.ui.page import endpoint
from ui.kept import files
from ui.kept.files import WorkspaceFile
from ui.settings import served

pytestmark = pytest.mark.slow


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
        assert "127.0.0.1" not in files.written(WorkspaceFile(page.space.values))
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
