"""What the operator of a server gives a visitor: said on the page, and never crossed."""

import threading

import pytest

from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Playground, endpoint
from tests.ui.test_compare import Compare
from ui.history import history as opened
from ui.runs import allowance
from ui.runs.pool import Lane, Pool, Turn

pytestmark = pytest.mark.slow

KEY = "sk-OPERATOR-0123456789"


@pytest.fixture(autouse=True)
def _own_history(monkeypatch, tmp_path):
    monkeypatch.setenv("SYNTH_DATABASE_URL", f"sqlite:///{tmp_path / 'history.sqlite3'}")
    monkeypatch.setattr(opened, "_opened", opened._Opened())
    comes_from(monkeypatch, "203.0.113.1")


def calls(server):
    return sum(request.path.endswith("/chat/completions") for request in server.requests)


def comes_from(monkeypatch, address):
    monkeypatch.setattr(type(allowance.st.context), "ip_address", address)


def test_a_visitor_has_so_many_calls_a_day_in_all_workspaces(monkeypatch):
    monkeypatch.setenv("SYNTH_CALLS_A_DAY", "5")
    monkeypatch.setenv("SYNTH_SERVER_CALLS_A_DAY", "7")
    with FakeOpenAI(Answer("fine")) as server:
        page = endpoint(server, mode="refine")
        assert "Left today: 5 of 5 calls, 7 of everybody's 7 calls." in page.sidebar
        page.press("Test").finish()
        assert calls(server) == 5
        assert "This server gives each visitor 5 calls a day" in page.text
        assert "Left today: 0 of 5 calls, 2 of everybody's 7 calls." in page.draw().sidebar
        endpoint(server, mode="refine").press("Test").finish()
        assert calls(server) == 5
        comes_from(monkeypatch, "203.0.113.2")
        page = endpoint(server, mode="refine").finish()
        assert calls(server) == 7
        assert "gives all its visitors together 7 calls a day" in page.text


def test_lists_of_models_count_as_calls(monkeypatch):
    monkeypatch.setenv("SYNTH_CALLS_A_DAY", "1")
    with FakeOpenAI(models=["m"]) as server:
        page = endpoint(server, mode="generation")
        assert "1 model." in page.press("List models").sidebar
        assert "gives each visitor 1 call a day" in page.press("List models").sidebar


def test_the_operators_key_pays_so_many_dollars_at_known_prices_alone(monkeypatch):
    monkeypatch.setenv("SYNTH_DOLLARS_A_DAY", "0.001")
    monkeypatch.setenv("SYNTH_OPERATOR_KEY", "1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    usage = {"prompt_tokens": 400, "completion_tokens": 100, "total_tokens": 500}
    with FakeOpenAI(Answer("fine", usage=usage)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        page = Playground(model="endpoint", model_name="nobody-knows-1", mode="refine")
        page.press("send_to plan")
        page.set(price_prompt=0.0, price_output=0.0).finish()
        assert "The price of nobody-knows-1 is not known" in page.text
        page = Playground(model="endpoint", model_name="gpt-4.1-mini", mode="refine")
        page.press("send_to plan")
        assert "of $0.0010." in page.sidebar
        page.set(price_prompt=0.0, price_output=0.0).finish()
        sent = calls(server)
        assert 0 < sent < 12
        assert "gives each visitor $0.0010" in page.text
        page.set(base_url=server.base_url).finish()  # nobody's key goes there
        assert calls(server) == sent + 12


def test_a_workspace_keeps_so_many_runs(monkeypatch):
    monkeypatch.setenv("SYNTH_STORED_RUNS", "1")
    page = Playground(mode="generation").finish()
    assert page.job.run is not None
    assert "This workspace keeps 1 run," in page.finish().text


def test_runs_that_wait_for_one_another_are_counted_when_they_begin(monkeypatch):
    monkeypatch.setenv("SYNTH_STORED_RUNS", "2")
    monkeypatch.setenv("SYNTH_RUNS_AT_ONCE", "1")
    page = Compare(*({"mode": "generation", "num_output": 50 + n} for n in range(4))).finish()
    assert sum(job.run is not None for job in page.jobs) == 2
    assert sum("keeps 2 runs, the most" in (job.problem or "") for job in page.jobs) == 2


def test_a_visitor_begins_so_many_workspaces_a_day(monkeypatch):
    monkeypatch.setenv("SYNTH_WORKSPACES_A_DAY", "1")
    page = Playground()  # has one already, in memory
    page.open(w="new")
    page.draw()
    assert "No workspace can begin" not in page.text
    page.open(w="new")
    assert "This server gives each visitor 1 workspace a day" in page.text
    assert not page.at.button
    comes_from(monkeypatch, "203.0.113.2")
    assert page.draw().at.button


def test_a_server_keeps_so_many_bytes(monkeypatch):
    monkeypatch.setenv("SYNTH_STORED_MB", "0")
    assert "This server keeps 0 MB, its most" in Playground(mode="generation").finish().text


def test_calls_that_can_not_be_counted_are_not_sent(monkeypatch, tmp_path):
    monkeypatch.setenv("SYNTH_CALLS_A_DAY", "5")
    (tmp_path / "history.sqlite3").write_bytes(b"no database at all " * 200)
    with FakeOpenAI(Answer("fine")) as server:
        page = endpoint(server, mode="generation").finish()
        assert "Calls can't be counted, so none is sent" in page.job.trace.error
        assert server.requests == []


def test_runs_of_one_owner_wait_for_one_another_where_the_operator_says_so(monkeypatch):
    monkeypatch.setenv("SYNTH_RUNS_AT_ONCE", "1")
    pool, go_on = Pool(8), threading.Event()

    def work():
        go_on.wait(10)

    first, second = (Turn(Lane("visitor", pool=pool), work) for _ in range(2))
    pool.enter(first)
    pool.enter(second)
    assert pool.before(second) == 1
    go_on.set()


def test_a_visitor_is_an_address_or_a_network_of_ipv6(monkeypatch):
    def visitor(address):
        comes_from(monkeypatch, address)
        return allowance.visitor()

    assert visitor("2001:db8::1") == visitor("2001:db8::ffff:1")
    assert visitor("2001:db8::1") != visitor("2001:db8:0:1::1")
    assert visitor("203.0.113.1") != visitor("203.0.113.2")
    assert visitor("::ffff:203.0.113.1") == visitor("203.0.113.1")  # of a socket for both
    assert visitor(None) == visitor("127.0.0.1")
    assert "203.0.113.1" not in visitor("203.0.113.1")
