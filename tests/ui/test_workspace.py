"""The workspace: what it remembers, for how long, and for two tabs at once."""

import time

import pytest

from ui.session.workspace import ANSWERS, Holding, Registry


@pytest.fixture
def space():
    return Registry().find(None)


def test_what_was_made_is_remembered_and_the_oldest_goes(space):
    made = []

    def make():
        made.append(len(made))
        return made[-1]

    for key in [*range(17), 12, 0]:
        space.remembered("kind", key, make)
    assert len(made) == 18  # the first had gone by the time it was asked for again


def test_what_two_tabs_make_at_once_is_one_thing(space):
    def slow():
        fast = space.remembered("kind", 1, lambda: "made by the faster tab")
        return f"not {fast}"

    assert space.remembered("kind", 1, slow) == "made by the faster tab"


def test_results_that_are_used_together_are_all_remembered_and_others_go(space):
    made = []

    def make(key):
        made.append(key)
        return -key

    keys = range(1, 31)
    assert space.remembered_together("kind", keys, make) == {key: -key for key in keys}
    space.remembered_together("kind", keys, make)
    assert made == [*keys]
    space.remembered_together("kind", [1], make)
    space.remembered_together("kind", [2], make)
    assert made == [*keys, 2]


def test_another_tab_takes_no_result_away_while_others_are_made(space):
    made = []

    def make(key):
        made.append(key)
        space.remembered_together("kind", ["of the other tab"], str)
        return key

    space.remembered_together("kind", [2, 3], str)
    found = space.remembered_together("kind", [1, 2, 3], make)
    assert made == [1]
    assert found == {1: 1, 2: "2", 3: "3"}


def test_results_of_a_workspace_that_nobody_looks_at_are_made_again_and_answers_kept():
    registry = Registry()
    space = registry.find(None)
    space.remembered("outlook", 1, lambda: "plan")
    space.remembered(ANSWERS, 1, lambda: "answers")
    registry.forget_results()
    assert space.remembered("outlook", 1, lambda: "again") == "plan"
    space.seen = time.monotonic() - 181
    registry.forget_results()
    assert space.remembered("outlook", 1, lambda: "again") == "again"
    assert space.remembered(ANSWERS, 1, lambda: "again") == "answers"


class Unsaved(Holding):
    """What does not come back from the database."""

    comes_back = False


class Going(Holding):
    """A run that goes on."""

    busy = True


def kept_after(seconds, saved=True, holding=Holding, answers=False):
    """Whether a workspace stays in memory for so long after the last visit."""
    registry = Registry()
    space = registry.find(None)
    space.holding(holding)
    if answers:
        space.remembered(ANSWERS, 1, lambda: "answers")
    space.seen = time.monotonic() - seconds
    registry.forget_spaces(lambda space: saved)
    return registry.has(space.id)


def test_a_saved_workspace_is_forgotten_after_minutes():
    assert kept_after(290)
    assert not kept_after(310)


@pytest.mark.parametrize("more", [{"saved": False}, {"holding": Unsaved}, {"answers": True}])
def test_what_would_be_missed_stays_for_an_hour(more):
    assert kept_after(3_590, **more)
    assert not kept_after(3_610, **more)


def test_a_run_that_goes_on_keeps_its_workspace():
    assert kept_after(10_000, holding=Going)
