"""A key that a server sends back, in whatever form, is not shown; short keys garble nothing."""

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import SynthError
from synth.llms import OpenAILLM
from synth.llms.listing import list_models
from synth.llms.server_errors import SHORTEST, hiding
from tests.fake_openai import Answer, Failure, FakeOpenAI, Raw
from tests.llms.ways import PLAIN

KEY = "sk-PLANTED-0123?>456789~w"
PRINTABLE = st.characters(min_codepoint=33, max_codepoint=126)
KEYS = st.text(PRINTABLE, min_size=SHORTEST, max_size=60)


def in_base64(secret, before="", urlsafe=False):
    encode = base64.urlsafe_b64encode if urlsafe else base64.b64encode
    return encode((before + secret + "~tail").encode()).decode()


FORMS = {
    "as it is": KEY,
    "backwards": KEY[::-1],
    "in capitals": KEY.upper(),
    "its beginning": f"{KEY[:SHORTEST]}...",
    "its end": f"...{KEY[-SHORTEST:]}",
    "one letter short": KEY[1:],
    "percent-encoded": "".join(f"%{ord(letter):02x}" for letter in KEY),
    "as in an address": quote(KEY),
    "encoded twice": quote(quote(KEY)),
    "hexadecimal": KEY.encode().hex(),
    **{
        f"base64 after {before!r}, {urlsafe}": in_base64(KEY, before, urlsafe)
        for before in ("", "x", "xy", "Bearer ")
        for urlsafe in (False, True)
    },
}


def readable(text):
    """Whether eight characters of the key in a row stand in a text."""
    pieces = {KEY[at : at + SHORTEST] for at in range(len(KEY) - SHORTEST + 1)}
    return any(piece.lower() in text.lower() for piece in pieces)


def base64_decoded(text):
    """What a reader finds who decodes a text from each of its letters on."""
    found = []
    for start in range(4):
        letters = text[start:].replace("-", "+").replace("_", "/")
        whole = letters[: len(letters) // 4 * 4]
        found.append(base64.b64decode(whole).decode("latin-1"))
    return found


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_no_form_of_a_key_is_shown(form):
    failure = Failure(400, f"bad header {form}, sorry")
    with FakeOpenAI(failure) as server, pytest.raises(SynthError) as caught:
        OpenAILLM("m", KEY, server.base_url).complete(PLAIN)
    said = str(caught.value)
    assert "bad header" in said
    assert "[key]" in said
    assert "sorry" in said
    assert form not in said
    assert not readable(said)
    assert not readable(said[::-1])


@given(KEYS, st.text(PRINTABLE, max_size=7), st.booleans())
def test_a_key_in_base64_is_not_shown_at_any_alignment(key, before, urlsafe):
    told = hiding(key)(in_base64(key, before, urlsafe))
    pieces = {key[at : at + SHORTEST] for at in range(len(key) - SHORTEST + 1)}
    assert "[key]" in told
    for left in told.split("[key]"):
        assert not any(piece in one for piece in pieces for one in base64_decoded(left))


@given(KEYS, st.text(PRINTABLE), st.text(PRINTABLE))
def test_what_is_no_part_of_a_key_stays(key, before, after):
    parts = {text[at : at + 6].lower() for text in (before, after) for at in range(len(text))}
    if any(part in form for part in parts for form in (key.lower(), key[::-1].lower())):
        return
    if "%" in before + key + after:
        return
    assert hiding(key)(f"{before} {key} {after}") == f"{before} [key] {after}"


@pytest.mark.parametrize("key", ["x", "none", "EMPTY", "ollama"])
def test_a_key_of_a_few_letters_garbles_no_message(key):
    words = "the request exceeds the context; ollama has none, EMPTY"
    with FakeOpenAI(Failure(400, words)) as server, pytest.raises(SynthError, match=words):
        OpenAILLM("m", key, server.base_url).complete(PLAIN)


REPLIES = {
    "a refusal": Answer(None, refusal=f"not with {KEY}"),
    "what is no text": Answer([KEY]),
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
    monkeypatch.setenv("OPENAI_ORG_ID", "PLANTED-organization")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "PLANTED-project")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: PLANTED\nX-Secret: PLANTED")
    with FakeOpenAI(Answer("x")) as server:
        OpenAILLM("m", "sk-mine", server.base_url).complete(PLAIN)
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        OpenAILLM("m").complete(PLAIN)
    chosen, of_environment = server.requests
    assert chosen.authorization == "Bearer sk-mine"
    assert "PLANTED" not in repr(chosen.headers)
    assert "PLANTED-organization" in repr(of_environment.headers)
