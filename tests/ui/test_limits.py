"""The operator's key pays so many dollars a day for all, and the database stays so large."""

import pytest
from sqlalchemy import text

from synth.runs.prices import Price
from tests.fake_openai import Answer, Failure, FakeOpenAI
from tests.ui.page import Playground
from tests.ui.store.recorded import renewed
from ui.settings import model
from ui.store import counts
from ui.store.runs import delete_workspace
from ui.store.store import current_store

pytestmark = pytest.mark.slow

KEY = "sk-OPERATOR-0123456789"
USAGE = {"prompt_tokens": 400, "completion_tokens": 100, "total_tokens": 500}
PRICE = (400 * 0.4 + 100 * 1.6) / 1_000_000  # of one such answer by gpt-4.1-mini


@pytest.fixture(autouse=True)
def _own_history(monkeypatch, tmp_path):
    monkeypatch.setenv("SYNTH_DATABASE_URL", f"sqlite:///{tmp_path / 'history.sqlite3'}")
    renewed(monkeypatch)


@pytest.fixture
def lent(monkeypatch):
    """The server of the operator, whose key pays a fifth of a cent a day."""
    with FakeOpenAI(Answer("fine", usage=USAGE)) as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("SYNTH_OPERATOR_KEY", "1")
        monkeypatch.setenv("SYNTH_SERVER_DOLLARS_A_DAY", "0.002")
        yield server


def asking(name="gpt-4.1-mini", **settings):
    """The page of somebody who asks with that key, and agreed to where text goes."""
    page = Playground(model="endpoint", model_name=name, **{"mode": "refine"} | settings)
    return page.press("send_to plan")


def paid():
    with current_store().read() as connection:
        return counts.sum_paid_today(connection)


def test_no_run_begins_once_those_of_today_have_cost_the_cap(lent, monkeypatch):
    page = asking().enter("price_prompt", 0.0).enter("price_output", 0.0).finish()
    assert paid() == pytest.approx(len(lent.requests) * PRICE)
    assert 0 < paid() <= 0.002  # the run itself stopped before
    hint = "with this server's key it is at most what that may still pay today"
    assert hint in page.find_button("resume").help
    monkeypatch.setenv("SYNTH_SERVER_DOLLARS_A_DAY", "0.001")
    sent = len(lent.requests)
    for visitor in (page, asking(query_str="Somebody else?")):
        said = "key has paid $0.0019 today, and it pays $0.0010 a day"
        assert said in visitor.finish().text
        assert said in (visitor.job.problem or "")
    assert len(lent.requests) == sent
    page.type_key("sk-own", lent.base_url).finish()  # one's own key is not counted, nor refused
    assert len(lent.requests) > sent
    assert paid() == pytest.approx(sent * PRICE)


def test_what_runs_cost_that_were_deleted_stays_counted_until_the_day_ends(lent, monkeypatch):
    page = asking(mode="generation").finish()
    delete_workspace(current_store(), page.space.id)
    assert paid() == 0.0
    monkeypatch.setenv("SYNTH_SERVER_DOLLARS_A_DAY", "0.0001")
    assert "has paid $0.0003 today" in asking(mode="generation").finish().text
    now = counts.time()
    monkeypatch.setattr(counts, "time", lambda: now + counts.DAY)
    assert "has paid" not in asking(mode="generation").finish().text


def test_what_was_run_yesterday_is_not_counted(lent):
    asking(mode="generation").finish()
    assert paid() > 0.0
    with current_store().write() as connection:
        connection.execute(
            text("UPDATE synth_run SET started = started - 86400, ended = ended - 86400")
        )
    assert paid() == 0.0


def test_a_run_that_began_with_another_key_is_counted_once_the_lent_one_pays(lent, monkeypatch):
    with FakeOpenAI(Failure(401, "no such key"), Answer("fine", usage=USAGE)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        page = asking(mode="generation").type_key("sk-own", server.base_url).finish()
        assert paid() == 0.0
        page.type_key("", server.base_url).finish("resume")
        assert [one.authorization for one in server.requests][-1] == f"Bearer {KEY}"
    assert paid() >= PRICE


@pytest.mark.parametrize("name", ["nobody-knows-1", "gpt-4.1-mini"])
def test_without_a_cap_or_a_known_price_the_key_is_not_lent(lent, monkeypatch, name):
    if name == "gpt-4.1-mini":
        monkeypatch.setenv("SYNTH_SERVER_DOLLARS_A_DAY", "")
    page = asking(name, mode="generation").enter("price_prompt", 1.0).enter("price_output", 1.0)
    page.finish()
    assert [one.authorization for one in lent.requests] == ["Bearer none"]
    assert paid() == 0.0
    assert model.price(page.settings) == Price(1.0, 1.0)


def test_a_test_call_is_saved_nowhere_so_a_lent_key_pays_none(lent):
    page = asking()
    assert page.reach("List models")
    assert not page.reach("Test")
    page.type_key("sk-own", lent.base_url)
    assert page.reach("Test")


def test_what_can_not_be_counted_is_not_sent(lent, tmp_path):
    (tmp_path / "history.sqlite3").write_bytes(b"no database at all " * 200)
    page = asking(mode="generation").finish()
    assert "is damaged" in page.text
    assert lent.requests == []


def test_a_server_keeps_so_many_bytes(monkeypatch):
    monkeypatch.setenv("SYNTH_STORED_MB", "0")
    assert "This server keeps 0 MB, its most" in Playground(mode="generation").finish().text
