"""Whose a key is, and where chunks go: nowhere that the person, or the operator, did not choose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.llms.endpoint import origin
from tests.fake_openai import Answer, Failure, FakeOpenAI
from tests.ui.page import Playground
from tests.ui.test_compare import Compare, at
from ui.session import browser
from ui.settings import hosts

pytestmark = pytest.mark.slow

KEY = "sk-PLANTED-0123456789"


class Stranger(Playground):
    """The Playground with a workspace that somebody else may have made."""

    agreed = False


class StrangersColumns(Compare):
    agreed = False


def html(page):
    return page.html + page.said_of_model


def sends(page, name):
    return page.press(f"send_to {name}")


def asked(server):
    return [request.authorization for request in server.requests]


@pytest.mark.parametrize(
    "same",
    [
        (
            "https://api.openai.com/v1",
            "HTTPS://API.OpenAI.com:443",
            " https://api.openai.com/x?y ",
        ),
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080", "http://me:pw@127.0.0.1:8080/other/"),
        ("http://[::1]:80/", "http://[::1]/v1"),
        ("https://bücher.example", "https://xn--bcher-kva.example/v1"),
    ],
)
def test_addresses_of_one_origin(same):
    assert len({origin(address) for address in same}) == 1


ORIGINS = st.tuples(
    st.sampled_from(["http", "https"]),
    st.sampled_from(["a.test", "b.test", "127.0.0.1", "[::1]"]),
    st.sampled_from([80, 443, 8080]),
)


@given(ORIGINS, ORIGINS, st.sampled_from(["", "/", "/v1/", "/v1?k=1"]))
def test_an_origin_is_its_scheme_host_and_port(one, other, path):
    first, second = ("{}://{}:{}".format(*parts) for parts in (one, other))
    assert (origin(first + path) == origin(second)) == (one == other)


def test_a_host_in_another_alphabet_is_named_by_its_ascii_letters():
    assert hosts.describe("https://аpi.openai.com/v1") == "xn--pi-6kc.openai.com"


def test_the_address_of_a_workspace_is_named_and_asked_for_before_the_first_run():
    with FakeOpenAI(Answer("fine")) as server:
        page = Stranger(
            model="endpoint", base_url=server.base_url, model_name="m", mode="generation"
        )
        assert not page.can_run
        assert f"Runs would send your text to {origin(server.base_url)}." in page.text
        assert "Nothing was sent to" in html(page.press("List models"))
        assert server.requests == []
        sends(page, "plan")
        assert "Runs would send" not in page.text
        page.finish()
        assert len(server.requests) == 1
        page.open()  # another session asks again
        assert "Runs would send your text to" in page.text


def test_a_link_that_chooses_an_endpoint_is_asked_about_and_typing_an_address_is_a_choice():
    with FakeOpenAI(Answer("fine")) as server:
        page = Stranger(model="endpoint", model_name="m", mode="generation")
        assert "Runs would send your text to api.openai.com." in page.text
        assert not page.can_run
        page.find("base_url").set_value(server.base_url)
        assert "Runs would send" not in page.draw().text
        page.finish()
        assert len(server.requests) == 1


def test_choosing_an_endpoint_chooses_the_default_one_and_no_address_of_the_workspace():
    assert "Runs would send" not in Stranger().enter("model", "endpoint").text
    page = Stranger(base_url="http://127.0.0.1:1/v1").enter("model", "endpoint")
    assert "Runs would send your text to http://127.0.0.1:1." in page.text


def test_a_run_is_resumed_and_branched_only_after_the_click():
    with FakeOpenAI(Answer("first"), Failure(400, "odd"), Answer("last")) as server:
        page = Stranger(model="endpoint", base_url=server.base_url, model_name="m", mode="refine")
        sends(page, "plan").finish()
        assert "1 answer is kept." in page.text
        asked_before = len(server.requests)
        page.open()
        assert page.find_button("resume").disabled
        sends(page, "run").finish("resume")
        assert len(server.requests) > asked_before


def test_a_column_with_another_host_asks():
    with FakeOpenAI(Answer("there")) as theirs:
        page = StrangersColumns({"mode": "compact"}, at(theirs, model_name="m"))
        assert f"Runs would send your text to {origin(theirs.base_url)}." in page.text
        assert page.button.disabled
        sends(page, "columns").finish()
        assert theirs.requests


def test_all_hosts_of_the_columns_are_named():
    columns = [
        {"model": "endpoint", "base_url": f"http://127.0.0.{n}:1/v1", "model_name": "m"}
        for n in range(1, 5)
    ]
    page = StrangersColumns(*columns)
    for n in range(1, 5):
        assert f"http://127.0.0.{n}:1" in page.text
    assert not sends(page, "columns").button.disabled


@pytest.fixture
def operator(monkeypatch):
    """A server whose operator's environment names a key and an address."""
    with FakeOpenAI(Answer("fine")) as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        yield server


def ran_by_default():
    return Playground(model="endpoint", model_name="gpt-4.1-mini", mode="generation")


def test_a_visitor_does_not_spend_the_operators_key(operator):
    page = ran_by_default()
    assert "Nothing can be sent yet." in page.text
    assert "api.openai.com needs an API key and got none: give one" in page.text
    assert not page.can_run
    page.press("List models")
    assert operator.requests == []


def test_the_operators_key_is_used_on_ones_own_machine(operator, monkeypatch):
    monkeypatch.setattr(browser, "is_own_machine", lambda: True)
    page = ran_by_default()
    host = hosts.describe(operator.base_url)
    assert f"Runs would send your text to {host}." in page.text
    sends(page, "plan")
    assert f"While it is empty, {host} gets the key in OPENAI_API_KEY." in html(page)
    page.finish()
    assert asked(operator) == [f"Bearer {KEY}"]
    with FakeOpenAI(Answer("fine")) as other:
        page.set(base_url=other.base_url).finish()
        assert asked(other) == ["Bearer none"]


def test_the_key_of_a_field_is_found_for_a_column():
    with FakeOpenAI(Answer("x")) as server:
        page = Compare({"mode": "generation"}, at(server, model_name="m", mode="generation"))
        page.type_key(KEY, server.base_url.removesuffix("v1") + "another/path").finish()
        assert asked(server) == [f"Bearer {KEY}"]


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/other"])
def test_an_address_that_the_operator_does_not_list_is_never_called(monkeypatch, path):
    monkeypatch.setenv("SYNTH_ENDPOINTS", "http://127.0.0.1:1/v1")
    with FakeOpenAI(Answer("gone there")) as other:
        base_url = other.base_url.removesuffix("/v1") + path
        page = Playground(model="endpoint", model_name="m", mode="generation", base_url=base_url)
        assert not page.can_run
        refused = "This server sends to no address but http://127.0.0.1:1/v1"
        assert refused in page.text
        assert refused in page.press("List models").said_of_model
        assert other.requests == []
