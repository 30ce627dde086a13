"""Turns: in which order threads draw, and what becomes of one that waits too long."""

import threading

import pytest

from tests.eventually import eventually
from ui.session import turns as module
from ui.session.turns import Turns, in_turn, meanwhile


@pytest.fixture
def turns(monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 60)
    monkeypatch.setattr(module, "_PAGE_PATIENCE", 60)
    mine = Turns()
    monkeypatch.setattr(module, "_turns", mine)
    return mine


def waiting(turns):
    return len(turns._urgent) + len(turns._others)


class Crowd:
    """Threads that come one after the other; `drawn` are their names as they drew."""

    def __init__(self, turns):
        self.drawn = []
        self._turns = turns
        self._threads = []

    def come(self, name, *, urgent=True):
        def take():
            with in_turn(urgent=urgent):
                self.drawn.append(name)

        before = waiting(self._turns)
        thread = threading.Thread(target=take)
        thread.start()
        self._threads.append(thread)
        eventually(
            lambda: waiting(self._turns) > before or not thread.is_alive(), f"{name} has come"
        )

    def end(self):
        for thread in self._threads:
            thread.join(60)
            assert not thread.is_alive()


def test_edits_come_before_whole_pages_and_else_first_comes_first(turns):
    crowd = Crowd(turns)
    with in_turn(urgent=True):
        crowd.come("page 1", urgent=False)
        crowd.come("edit 1")
        crowd.come("page 2", urgent=False)
        crowd.come("edit 2")
        assert crowd.drawn == []
    crowd.end()
    assert crowd.drawn == ["edit 1", "edit 2", "page 1", "page 2"]


def test_a_page_lets_an_edit_draw_between_its_parts_and_an_edit_lets_nobody(turns):
    crowd = Crowd(turns)
    with in_turn(urgent=False):
        crowd.come("edit")
        with in_turn(urgent=True):
            assert crowd.drawn == ["edit"]
    with in_turn(urgent=True):
        crowd.come("later edit")
        with in_turn(urgent=True):
            assert crowd.drawn == ["edit"]
    crowd.end()
    assert crowd.drawn == ["edit", "later edit"]


def test_who_waits_for_something_else_gives_the_turn_and_takes_it_again(turns):
    crowd = Crowd(turns)
    with in_turn(urgent=True):
        with meanwhile():
            crowd.come("other")
            crowd.end()
        crowd.come("late")
        assert crowd.drawn == ["other"]
    crowd.end()
    with meanwhile():  # without a turn there is none to give
        assert turns.take(urgent=True)


@pytest.mark.parametrize("urgent", [True, False])
def test_who_waits_too_long_draws_all_the_same_and_gives_no_turn_away(monkeypatch, turns, urgent):
    monkeypatch.setattr(module, "_PATIENCE", 0.01)
    monkeypatch.setattr(module, "_PAGE_PATIENCE", 0.01)
    crowd = Crowd(turns)
    with in_turn(urgent=True):
        crowd.come("impatient", urgent=urgent)
        crowd.end()
        assert crowd.drawn == ["impatient"]
        assert not turns.take(urgent=True)  # the first one still has it
    assert turns.take(urgent=True)


def test_an_error_gives_the_turn_back(turns):
    with pytest.raises(ZeroDivisionError), in_turn(urgent=True):
        _ = 1 / 0
    assert turns.take(urgent=True)
