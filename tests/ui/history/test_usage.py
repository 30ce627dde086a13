"""What visitors use in a day is counted once, by however many servers, and never crossed."""

from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex

import pytest
from sqlalchemy import func, make_url, select

from synth.errors import AllowanceSpent
from ui.history import usage, workspaces
from ui.history.database import Database
from ui.history.history import History
from ui.history.keeping import delete_workspace
from ui.history.tables import USAGE
from ui.history.usage import Most

MOST = {"calls": Most(10, 15), "dollars": Most(1.0, None)}


def took(history, who="a", need=True, **amounts):
    try:
        usage.take(history, who, amounts, MOST, need)
    except AllowanceSpent as problem:
        return str(problem)
    return None


def test_two_servers_never_give_more_than_there_is(history, place):
    second = History(Database(make_url(place)))
    work = [(one, who) for _ in range(10) for one in (history, second) for who in "ab"]
    with ThreadPoolExecutor(4) as threads:
        refused = list(threads.map(lambda each: took(*each, calls=1), work))
    second.close()
    assert refused.count(None) == 15
    used = [usage.used(history, who, "calls") for who in "ab"]
    assert [everybody for _, everybody in used] == [15, 15]
    assert sum(own for own, _ in used) == 15
    assert max(own for own, _ in used) <= 10


def test_what_is_refused_is_not_counted(history):
    assert took(history, calls=9, dollars=0.4) is None
    assert "each visitor $1.00 a day" in (took(history, calls=1, dollars=0.7) or "")
    assert "each visitor 10 calls a day" in (took(history, calls=2, dollars=0.1) or "")
    assert "all its visitors together 15 calls a day" in (took(history, "b", calls=7) or "")
    assert usage.used(history, "a", "calls") == (9, 9)
    assert usage.used(history, "a", "dollars") == pytest.approx((0.4, 0.4))


def test_what_a_call_cost_more_is_counted_and_what_it_cost_less_given_back(history):
    assert took(history, calls=1, dollars=0.9) is None
    assert took(history, need=False, calls=0, dollars=0.3) is None
    assert took(history, calls=1, dollars=0.01) is not None
    assert took(history, need=False, calls=0, dollars=-0.8) is None
    assert took(history, calls=1, dollars=0.5) is None


def test_each_day_begins_anew_and_nothing_stays_of_the_day_before(history, monkeypatch):
    assert took(history, calls=10) is None
    now = usage.time()
    monkeypatch.setattr(usage, "time", lambda: now + 86_400)
    assert usage.used(history, "a", "calls") == (0, 0)
    assert took(history, calls=10) is None
    with history.read() as connection:
        assert connection.scalar(select(func.count()).select_from(USAGE)) == 2


def test_the_size_of_the_database_is_known(history):
    assert usage.stored_bytes(history) > 10_000
    assert usage.stored_runs(history, "nobody's") == 0


def test_what_is_deleted_makes_room_in_a_file(history, place):
    before = usage.stored_bytes(history)
    workspaces.save(history, "large", {"query_str": token_hex(500_000)})
    assert usage.stored_bytes(history) > before + 400_000
    delete_workspace(history, "large")
    if place.startswith("sqlite"):
        assert usage.stored_bytes(history) < before + 100_000
