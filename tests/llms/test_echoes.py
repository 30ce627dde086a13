"""A key that a server sends back, in whatever form, is not shown; short keys garble nothing."""

import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import SynthError
from synth.llms import OpenAILLM
from synth.llms.complaints import SHORTEST, hide_key
from synth.llms.openai import list_models
from tests.fake_openai import Answer, Failure, FakeOpenAI, Raw
from tests.llms.ways import PLAIN

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
