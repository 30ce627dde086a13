"""Saved runs are found again, changed, deleted and restored."""

from datetime import timedelta

import pytest

from synth.runs.prices import Price
from tests.ui.history.recorded import WORKSPACE, request_of, saved
from ui.history import summaries
from ui.history.saved_run import latest, load
from ui.history.summaries import Filter
from ui.settings.request import Model

PAID = Model("endpoint", "big-model", price=Price(1.0, 2.0))


@pytest.fixture
def three(history):
    """The ids of three runs, in the order of their start."""
    return [
        saved(request_of("refine", "Why did the POOL drain?"), lambda _: "100% of Ölpumpen").run,
        saved(request_of("compact", "车辆在暴雨中被淹没"), lambda _: "the pool_size was 8").run,
        saved(request_of("accumulate", "Who knew?", model=PAID), lambda _: "nobody").run,
    ]


def ids(history, **wanted) -> list[str]:
    return [run.id for run in summaries.found(history, WORKSPACE, Filter(**wanted)).runs]


FOUND = {
    "": [2, 1, 0],
    "pool": [1, 0],
    "PooL why": [0],
    "暴雨": [1],
    "ÖLPUMPEN": [0],
    "100%": [0],
    "l_s": [1],
    "o%l": [],
    "\0 \ud800 who": [2],  # half a pair is searched for as it is shown, as "?"
    "'; DROP TABLE run; --": [],
}


@pytest.mark.slow
def test_words_are_searched_in_questions_and_answers(history, three):
    for words, expected in FOUND.items():
        assert ids(history, words=words) == [three[number] for number in expected], words


@pytest.mark.slow
def test_runs_are_filtered(history, three):
    assert ids(history, modes=["refine", "compact"]) == [three[1], three[0]]
    assert ids(history, models=["big-model"]) == [three[2]]
    assert ids(history, states=["done"]) == three[::-1]
    assert ids(history, states=["failed", "running"]) == []
    [first] = [
        run for run in summaries.found(history, WORKSPACE, Filter()).runs if run.id == three[0]
    ]
    later = first.started + timedelta(microseconds=100)
    assert ids(history, since=later) == [three[2], three[1]]
    assert ids(history, until=later) == [three[0]]
    assert summaries.choices(history, WORKSPACE) == (
        ["accumulate", "compact", "refine"],
        ["big-model", "offline"],
    )


def test_a_page_of_runs_says_how_many_there_are(history, three):
    page = summaries.found(history, WORKSPACE, Filter(), limit=1, offset=1)
    assert page.count == 3
    assert [run.id for run in page.runs] == [three[1]]


def test_names_notes_and_pins_are_kept_and_found(history, three):
    summaries.rename(history, WORKSPACE, three[0], "  The Pool, \0again ")
    summaries.annotate(history, WORKSPACE, three[1], "for the Review")
    summaries.pin(history, WORKSPACE, three[1])
    assert ids(history, words="review") == [three[1]]
    assert ids(history, words="again") == [three[0]]
    assert ids(history, pinned=True) == [three[1]]
    found = {run.id: run for run in summaries.found(history, WORKSPACE, Filter()).runs}
    assert found[three[0]].name == "The Pool, again"
    assert found[three[1]].note == "for the Review"
    summaries.annotate(history, WORKSPACE, three[1], "")
    summaries.pin(history, WORKSPACE, three[1], pinned=False)
    assert ids(history, words="review") == ids(history, pinned=True) == []


def test_another_workspace_reads_and_changes_nothing(history, three):
    assert load(history, "another", three[0]) is None
    assert latest(history, "another", "Playground") is None
    summaries.rename(history, "another", three[0], "mine")
    summaries.remove(history, "another", three)
    assert ids(history) == three[::-1]
    assert ids(history, words="mine") == []
