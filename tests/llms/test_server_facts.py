"""What a server says of itself, and what is made of servers that say nothing or lie."""

import pytest

from synth.llms.counting_server import ask_facts
from synth.llms.served import ServerFacts
from tests.fake_counting import FakeServer, Kind
from tests.fake_openai import Failure, FakeOpenAI

WINDOW, TRAINED = 4_096, 8_192


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("llama.cpp", {"window": WINDOW, "trained": TRAINED, "dialect": "llama.cpp"}),
        ("vLLM", {"window": WINDOW, "dialect": "vLLM"}),
        ("Ollama", {"window": WINDOW, "trained": TRAINED}),
        ("LM Studio", {"window": WINDOW, "trained": TRAINED}),
        ("other", {}),
    ],
)
def test_each_kind_says_its_window_in_its_own_way(kind: Kind, expected: dict[str, object]) -> None:
    with FakeServer(kind, window=WINDOW, trained=TRAINED) as server:
        facts = ask_facts("m", None, server.base_url)
    assert facts == ServerFacts.model_validate({"kind": kind, **expected})
    assert facts.cuts == (kind == "Ollama")


@pytest.mark.parametrize(
    ("kind", "path", "reply"),
    [
        ("llama.cpp", "/props", b'{"default_generation_settings": {"n_ctx": -4096}}'),
        ("llama.cpp", "/props", b'{"default_generation_settings": {"n_ctx": 1e99}}'),
        ("llama.cpp", "/props", b"<html>" * 2_000_000),
        ("vLLM", "/v1/models", b"[" * 100_000),
        ("Ollama", "/api/ps", b'{"models": [{"name": "m", "context_length": "no"}]}'),
        ("LM Studio", "/api/v0/models", b'{"data": [{"id": 7}]}'),
    ],
)
def test_a_lie_is_not_known(kind: Kind, path: str, reply: bytes) -> None:
    with FakeServer(kind, instead={path: reply}) as server:
        facts = ask_facts("m", None, server.base_url)
    assert facts.window == (WINDOW if kind == "vLLM" else None)


@pytest.mark.slow
def test_a_slow_server_is_waited_for_as_long_as_was_said() -> None:
    with FakeServer("Ollama", instead={"/api/ps": 30.0}) as server:
        facts = ask_facts("m", None, server.base_url, timeout=2)
    assert facts == ServerFacts(kind="Ollama", trained=TRAINED)


def test_the_key_goes_with_each_request_and_without_it_nothing_is_known() -> None:
    with FakeServer("llama.cpp", key="sk-secret-1234") as server:
        assert ask_facts("m", None, server.base_url) == ServerFacts()
        assert ask_facts("m", "sk-secret-1234", server.base_url).window == WINDOW


def test_an_endpoint_that_knows_no_other_path_and_one_that_is_gone() -> None:
    with FakeOpenAI(Failure(500, "no")) as server:
        assert ask_facts("m", None, server.base_url) == ServerFacts()
    assert ask_facts("m", None, server.base_url) == ServerFacts()


def test_hosts_that_have_no_such_paths_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synth.llms.counting_server.Server", None)
    assert ask_facts("gpt-4.1-mini", "key") == ServerFacts()
