"""The threads that all runs share: in order, a few for each workspace, and none for ever."""

import threading

import pytest

from tests.eventually import eventually
from tests.ui.page import Playground
from ui.runs import pool
from ui.runs.pool import Lane, Pool, Turn


class Runs:
    """Runs in a pool that go on until they are let go; `began` has their names in order."""

    def __init__(self, pool):
        self.pool = pool
        self.began, self.ended = [], []
        self._go = {}

    def enter(self, name, lane):
        """A run that waits for a thread of its lane."""
        self._go[name] = threading.Event()

        def work():
            self.began.append(name)
            self._go[name].wait()
            self.ended.append(name)

        turn = Turn(lane, work)
        self.pool.enter(turn)
        return turn

    def end(self, name):
        """Let a run end, and wait until it has."""
        self._go[name].set()
        eventually(lambda: name in self.ended, f"the end of {name}")

    def end_all(self):
        """Let all runs end, those that wait too."""
        for go in self._go.values():
            go.set()


@pytest.fixture
def runs():
    made = Runs(Pool(4, of_one=3))
    yield made
    made.end_all()


def lane(runs, owner, most=9):
    return Lane(owner, most, runs.pool)


def wait_for(runs, *names):
    eventually(lambda: runs.began == [*names], f"{names}, not {runs.began}")


def test_a_run_waits_until_there_is_a_thread_and_says_for_how_many(runs):
    turns = [runs.enter(name, lane(runs, name)) for name in "abcdef"]
    wait_for(runs, *"abcd")
    assert [runs.pool.before(turn) for turn in turns] == [None, None, None, None, 4, 5]
    runs.end("c")
    wait_for(runs, *"abcde")
    assert runs.pool.before(turns[5]) == 4


def test_who_has_many_runs_holds_nobody_up(runs):
    many = lane(runs, "many")
    for number in range(6):
        runs.enter(f"many {number}", many)
    wait_for(runs, "many 0", "many 1", "many 2")  # one thread is left for others
    runs.enter("other", lane(runs, "other"))
    runs.enter("third", lane(runs, "third"))
    wait_for(runs, "many 0", "many 1", "many 2", "other")
    runs.end("many 0")  # the third person comes before the fourth run of the first
    wait_for(runs, "many 0", "many 1", "many 2", "other", "third")


def test_a_lane_has_a_bound_of_its_own_and_may_open_late(runs):
    closed = lane(runs, "a", most=0)
    for name in ("1", "2", "3"):
        runs.enter(name, closed)
    runs.enter("another", lane(runs, "b"))
    wait_for(runs, "another")
    closed.open(1)
    wait_for(runs, "another", "1")
    runs.end("1")
    wait_for(runs, "another", "1", "2")


def test_who_waits_leaves_at_once_and_who_began_does_not(runs):
    turns = [runs.enter(name, lane(runs, name)) for name in "abcdef"]
    wait_for(runs, *"abcd")
    assert runs.pool.leave(turns[4])
    assert not runs.pool.leave(turns[0])
    runs.end("a")
    wait_for(runs, *"abcdf")


def test_a_run_that_fails_gives_its_thread_on(runs, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda failure: None)

    def fail():
        raise ValueError("a defect")

    for _ in range(5):
        runs.pool.enter(Turn(lane(runs, "failing"), fail))
    runs.enter("after", lane(runs, "failing"))
    wait_for(runs, "after")
    runs.end("after")
    eventually(lambda: not runs.pool._running, "the end of all threads")


def test_pages_look_less_often_at_many_runs(runs):
    quick = runs.pool.pace
    for number in range(100):
        runs.enter(number, lane(runs, "many"))
    assert runs.pool.pace > quick


@pytest.mark.slow
def test_the_page_says_how_many_runs_are_before_its_own(runs, monkeypatch):
    runs.pool = Pool(1)
    runs.enter("a", lane(runs, "somebody else"))
    monkeypatch.setattr(pool, "RUNS", runs.pool)
    page = Playground().press("run_button")
    assert "<b>compact</b> waits, with <b>1 other run</b> before it." in page.text
    runs.end("a")
    page.job.wait()
    assert "made <b>2 calls</b>" in page.draw().text
