"""Whatever is pasted as a base URL or a key: a request or a sentence, and no key is shown."""

import socket
import traceback
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import ModelUnreachable, SynthError
from synth.llms import OpenAILLM
from synth.llms.complaints import SHORTEST, hide_key
from synth.llms.counting_server import server_tokenizer
from synth.llms.openai import list_models
from tests.examples import examples
from tests.fake_openai import Answer, Failure, FakeOpenAI, Raw
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


def test_requests_go_to_listed_addresses_alone(monkeypatch):
    with FakeOpenAI(Answer("listed"), models=["m"]) as server:

        def ask(base_url):
            return OpenAILLM("m", "k", base_url, max_retries=0).complete(PLAIN).text

        monkeypatch.setenv("SYNTH_ENDPOINTS", f"http://127.0.0.1:1/v1 {server.base_url}")
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
                with pytest.raises(SynthError, match="This server sends to no address but"):
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


KEY = "sk-PLANTED-0123?>456789~w"
PRINTABLE = st.characters(min_codepoint=33, max_codepoint=126)
KEYS = st.text(PRINTABLE, min_size=SHORTEST, max_size=60)


FORMS = {
    "as it is": KEY,
    "in capitals": KEY.upper(),
    "its beginning": f"{KEY[:SHORTEST]}...",
    "its end": f"...{KEY[-SHORTEST:]}",
    "one letter short": KEY[1:],
}


def readable(text):
    """Whether eight characters of the key in a row stand in a text."""
    pieces = {KEY[at : at + SHORTEST] for at in range(len(KEY) - SHORTEST + 1)}
    return any(piece.lower() in text.lower() for piece in pieces)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_no_form_of_a_key_is_shown(form):
    failure = Failure(400, f"bad header {form}, sorry")
    with FakeOpenAI(failure) as server, pytest.raises(SynthError) as caught:
        OpenAILLM("m", KEY, server.base_url).complete(PLAIN)
    said = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert "bad header" in said
    assert "[key]" in said
    assert "sorry" in said
    assert form not in said
    assert not readable(said)


@given(KEYS, st.text(PRINTABLE), st.text(PRINTABLE))
def test_what_is_no_part_of_a_key_stays(key, before, after):
    parts = {text[at : at + 6].lower() for text in (before, after) for at in range(len(text))}
    if any(part in key.lower() for part in parts):
        return
    assert hide_key(key, f"{before} {key} {after}") == f"{before} [key] {after}"


@pytest.mark.parametrize("key", ["x", "none", "EMPTY", "ollama"])
def test_a_key_of_a_few_letters_garbles_no_message(key):
    words = "the request exceeds the context; ollama has none, EMPTY"
    with FakeOpenAI(Failure(400, words)) as server, pytest.raises(SynthError, match=words):
        OpenAILLM("m", key, server.base_url).complete(PLAIN)


def test_the_secrets_of_an_address_are_hidden_too():
    with FakeOpenAI(Failure(404, "no /v1?key=QUERYSECRET12 here")) as server:
        address = f"{server.base_url}?key=QUERYSECRET12"
        with pytest.raises(SynthError, match=r"no /v1\?key=\[key\] here"):
            OpenAILLM("m", KEY, address).complete(PLAIN)


def test_a_version_in_an_address_is_no_key():
    with FakeOpenAI(Failure(401, "no 2024-02-01-preview here")) as server:
        address = f"{server.base_url}?api-version=2024-02-01-preview"
        with pytest.raises(SynthError, match=r"no 2024-02-01-preview here.* No key was sent"):
            OpenAILLM("m", None, address).complete(PLAIN)


REPLIES = {
    "a refusal": Answer(None, refusal=f"not with {KEY}"),
    "what is no text": Answer([{"image_url": KEY}]),
    "an error in place of an answer": Raw(f'{{"error": "{KEY}"}}'.encode()),
    "the title of a page": Raw(f"<html><title>{KEY}</title>".encode(), "text/html", 500),
    "another address": Raw(b"", status=302, headers={"Location": f"http://127.0.0.1/{KEY}"}),
}


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES.keys())
def test_wherever_a_server_says_it(reply):
    with FakeOpenAI(reply) as server, pytest.raises(SynthError) as caught:
        OpenAILLM("m", KEY, server.base_url, max_retries=0).complete(PLAIN)
    assert "[key]" in str(caught.value)
    assert not readable(str(caught.value))


def test_a_list_of_models_does_not_name_the_key():
    with FakeOpenAI(Answer("x"), models=[f"model-{KEY}", "good", "x" * 300]) as server:
        assert list_models(KEY, server.base_url) == ["good", "model-[key]"]


def test_an_answer_is_the_models_own_text():
    with FakeOpenAI(Answer(f"It is {KEY}.")) as server:
        assert OpenAILLM("m", KEY, server.base_url).complete(PLAIN).text == f"It is {KEY}."


def test_nothing_of_the_environment_goes_to_an_address_that_was_chosen(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "PLANTED-key")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: PLANTED\nX-Secret: PLANTED")
    with FakeOpenAI(Answer("x")) as server:
        OpenAILLM("m", "sk-mine", server.base_url).complete(PLAIN)
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        OpenAILLM("m").complete(PLAIN)
    chosen, of_environment = server.requests
    assert chosen.authorization == "Bearer sk-mine"
    assert "PLANTED" not in repr(chosen.headers)
    assert of_environment.authorization == "Bearer PLANTED-key"
