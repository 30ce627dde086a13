"""Whatever is pasted as a base URL: a request or a sentence, never another exception."""

import socket
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import ModelUnreachable, SynthError
from synth.llms import OpenAILLM
from synth.llms.counting_server import server_tokenizer
from synth.llms.endpoint import restrict
from synth.llms.openai import list_models
from tests.examples import examples
from tests.fake_openai import Answer, FakeOpenAI, Raw
from tests.llms.faults import IMPOSSIBLE
from tests.llms.ways import PLAIN, WAYS, Way


@pytest.mark.parametrize("address", IMPOSSIBLE[1:])
@pytest.mark.parametrize("use", [partial(OpenAILLM, "m", "k"), partial(list_models, "k")])
def test_what_is_no_address_is_told_at_once(use, address):
    with pytest.raises(SynthError, match="must be a full address"):
        use(address)


@pytest.mark.parametrize("around", ["{}\t", "\u00a0{} ", "{}/", "{}?x=1", "{}#top"])
def test_what_is_often_pasted_around_an_address_does_no_harm(around):
    with FakeOpenAI(Answer("hello"), models=["m"]) as server:
        address = around.format(server.base_url)
        assert OpenAILLM("m", "k", address).complete(PLAIN).text == "hello"
        assert list_models("k", address) == ["m"]
    assert server.requests[0].path.partition("?")[0] == "/v1/chat/completions"


def nowhere(host, *_, **__):
    """What the resolver does before it asks anybody; then it knows no such host."""
    if isinstance(host, str):
        host.encode("idna")
    raise socket.gaierror(socket.EAI_NONAME, "no such host")


PASTED = st.one_of(
    st.text(),
    st.builds("{}{}{}".format, st.sampled_from(["http://", "https://"]), st.text(), st.text()),
    st.builds(
        "http://{}{}{}".format,
        st.text(st.sampled_from("aü.-_%@:[]/?#\\ \t\u00a0\u200b1"), min_size=1),
        st.sampled_from(["", ".de", ":80", ":port"]),
        st.sampled_from(["", "/v1", "/v1/", " ", "?q"]),
    ),
)


@examples(100)
@given(PASTED)
def test_random_addresses_end_in_a_sentence(address):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", nowhere)
        patch.delenv("OPENAI_BASE_URL", raising=False)
        if not address:
            return
        with pytest.raises(SynthError):
            OpenAILLM("m", "k", address, max_retries=0, timeout=5).complete(PLAIN)
        with pytest.raises(SynthError):
            list_models("k", address, timeout=5)


@pytest.mark.parametrize("ask", WAYS)
@pytest.mark.parametrize("status", [302, 307])
def test_prompts_never_go_where_a_server_refers_to(ask: Way, status):
    with FakeOpenAI(Answer("mine")) as other:
        there = Raw(b"", status=status, headers={"Location": other.base_url})
        with (
            FakeOpenAI(there) as server,
            pytest.raises(
                SynthError, match=rf"HTTP {status}, “{other.base_url}”. Nothing was sent"
            ),
        ):
            ask(OpenAILLM("m", "k", server.base_url))
    assert other.requests == []


@pytest.mark.parametrize("ask", WAYS)
def test_https_at_a_port_of_http_is_told(ask: Way):
    with FakeOpenAI(Answer("hello")) as server:
        address = server.base_url.replace("http", "https")
        with pytest.raises(ModelUnreachable, match="can't be reached by https"):
            ask(OpenAILLM("m", "k", address))


@pytest.fixture
def restricted():
    """Lets requests of this process go where a test says, and anywhere afterwards."""
    yield restrict
    restrict(None)


def test_requests_go_to_listed_addresses_alone(restricted):
    with FakeOpenAI(Answer("listed"), models=["m"]) as server:

        def ask(base_url):
            return OpenAILLM("m", "k", base_url, max_retries=0).complete(PLAIN).text

        restricted([server.base_url])
        assert ask(server.base_url) == "listed"
        assert list_models(base_url=server.base_url) == ["m"]
        asked = len(server.requests)
        others = (server.base_url + "/", server.base_url.removesuffix("/v1"), "https://a.test/v1")
        for other in (*others, None):
            for way in (
                ask,
                lambda base_url: list_models(base_url=base_url),
                lambda base_url: server_tokenizer("m", None, base_url),
            ):
                with pytest.raises(SynthError, match="endpoints that its operator lists"):
                    way(other)
        assert len(server.requests) == asked


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Raw(b"<html>"), "sent no JSON that can be read"),
        *((Raw(b), "sent no list of models") for b in (b'{"data": 3}', b'{"data": [{}]}', b"[1]")),
        (Raw(b'{"error": {"message": "no key"}}'), "an error in place of an answer, “no key”"),
        (Raw(b"{}", status=404), "HTTP 404. Check the model"),
        (Raw(b"x" * 9_000_000), "sent more than 8,000,000 bytes"),
    ],
)
def test_why_there_is_no_list_begins_with_the_host(reply, said):
    with FakeOpenAI(Answer("x"), models=reply) as server:
        host = server.base_url.removeprefix("http://").removesuffix("/v1")
        with pytest.raises(SynthError, match=rf"^{host}:? {said}"):
            list_models("sk-key", server.base_url)


def test_a_proxy_gets_no_request_that_is_meant_for_this_machine(monkeypatch):
    with FakeOpenAI(Answer("proxy")) as proxy, FakeOpenAI(Answer("here")) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.base_url.removesuffix("/v1"))
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        port = server.base_url.rpartition(":")[2]
        for host in ("127.0.0.1", "localhost", "0.0.0.0"):
            assert OpenAILLM("m", "k", f"http://{host}:{port}").complete(PLAIN).text == "here"
        assert proxy.requests == []
        assert OpenAILLM("m", "k", "http://elsewhere.test/v1").complete(PLAIN).text == "proxy"
