"""A server for strangers sends nowhere but to what its operator lists, whoever names an address."""

import pytest

from synth.errors import SynthError
from synth.llms.endpoint import restrict
from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Playground
from tests.ui.store.recorded import renewed
from tests.ui.test_compare import Compare, at
from ui.session.host import Host
from ui.store.store import current_store

pytestmark = pytest.mark.slow

KEY = "sk-OPERATOR-0123456789"
REFUSED = "This server sends to the endpoints that its operator lists, and to no other address"


@pytest.fixture
def listed(monkeypatch):
    """The one endpoint that the operator lists, under the name Class."""
    with FakeOpenAI(Answer("fine"), models=["m"]) as server:
        monkeypatch.setenv("SYNTH_PUBLIC", "1")
        monkeypatch.setenv("SYNTH_ENDPOINTS", f"Class={server.base_url}")
        yield server
    restrict(None)


@pytest.fixture
def other():
    """An endpoint that a workspace names, and the operator doesn't."""
    with FakeOpenAI(Answer("gone there")) as server:
        yield server
        assert server.requests == []


def generation(**settings):
    return Playground(model="endpoint", model_name="gpt-4.1-mini", mode="generation", **settings)


def test_an_endpoint_is_chosen_by_its_name(listed):
    page = generation()
    assert page.find("base_url").options == ["Class"]
    assert not page.can_run
    assert page.enter("base_url", listed.base_url).finish().job.trace.response == "fine"
    page.press("List models")
    assert page.settings.base_url == listed.base_url


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/other"])
def test_an_address_of_a_workspace_is_never_called(listed, other, path):
    page = generation(base_url=other.base_url.removesuffix("/v1") + path)
    assert not page.can_run
    assert "Runs would send" not in page.text
    assert REFUSED in page.text
    for button in ("Test", "List models"):
        assert page.press(button).said_of_model.count(REFUSED) == 2


def test_an_address_of_a_column_is_called_only_if_it_is_listed(listed, other):
    asking = (at(one, model_name="m", mode="generation") for one in (other, listed))
    page = Compare({"mode": "compact"}, *asking).finish()
    assert REFUSED in page.text
    assert len(listed.requests) == 1


def test_where_the_database_is_stands_in_the_log_alone(listed, monkeypatch, tmp_path, caplog):
    (tmp_path / "history.sqlite3").write_bytes(b"no database at all " * 200)
    monkeypatch.setenv("SYNTH_DATABASE_URL", f"sqlite:///{tmp_path / 'history.sqlite3'}")
    renewed(monkeypatch)
    page = generation(base_url=listed.base_url).finish()
    problem = str(current_store().problem)
    assert "The database of this server can't be used" in problem
    assert str(tmp_path) not in problem + page.text
    assert f"{tmp_path}/history.sqlite3 is damaged" in caplog.text
    current_store().forget(page.space.id)


def test_without_a_list_the_server_is_offline(monkeypatch, other):
    monkeypatch.setenv("SYNTH_PUBLIC", "1")
    assert "Endpoint" not in Playground().find("model").options
    assert not generation(base_url=other.base_url).can_run
    restrict(None)


def test_the_operators_key_goes_to_no_endpoint(listed, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", listed.base_url)
    generation(base_url=listed.base_url).finish()
    assert [one.authorization for one in listed.requests] == ["Bearer none"]


@pytest.mark.parametrize(
    "environment",
    [
        {"SYNTH_PUBLIC": "maybe"},
        {"SYNTH_PUBLIC": "1", "SYNTH_OWN_MACHINE": "1"},
        {"SYNTH_ENDPOINTS": "Class=https://a.example/v1"},
        *(
            {"SYNTH_PUBLIC": "1", "SYNTH_ENDPOINTS": text}
            for text in ("x", "public", "=http://a", "a=", "a=ftp://b", "a=http://b, a=http://c")
        ),
    ],
)
def test_a_server_whose_settings_are_wrong_shows_nothing_else(environment, monkeypatch):
    with pytest.raises(SynthError):
        Host.of(environment)
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    page = Playground()
    assert "This server is not set up." in page.text
    assert not page.at.button
