"""Saved runs are found again, changed, deleted and restored."""

import pytest

from synth.runs.prices import Price
from tests.ui.store.recorded import WORKSPACE, latest, request_of, saved
from ui.settings.request import Model
from ui.store import runs as saved_runs
from ui.store.runs import Filter, find_earlier_texts, load_run

PAID = Model("endpoint", "big-model", price=Price(1.0, 2.0))


@pytest.fixture
def three(store):
    return [
        saved(request_of("refine", "Why did the POOL drain?"), lambda _: "100% of Ölpumpen").run,
        saved(request_of("compact", "车辆在暴雨中被淹没"), lambda _: "the pool_size was 8").run,
        saved(request_of("accumulate", "Who knew?", model=PAID), lambda _: "nobody").run,
    ]


def ids(store, **wanted) -> list[str]:
    return [run.id for run in saved_runs.find(store, WORKSPACE, Filter(**wanted)).runs]


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
def test_words_are_searched_in_questions_and_answers(store, three):
    for words, expected in FOUND.items():
        assert ids(store, words=words) == [three[number] for number in expected], words


@pytest.mark.slow
def test_runs_are_filtered_and_a_page_of_them_says_how_many_there_are(store, three):
    assert ids(store, words="compact") == [three[1]]
    assert ids(store, words="big-MODEL") == [three[2]]
    assert ids(store, of_trace=False) == three[::-1]
    assert ids(store, of_trace=True) == []
    assert ids(store, ids=frozenset(three[:2]), but=frozenset(three[:1])) == [three[1]]
    page = saved_runs.find(store, WORKSPACE, Filter(), limit=1, offset=1)
    assert page.count == 3
    assert [run.id for run in page.runs] == [three[1]]


def test_names_and_notes_are_kept_and_found(store, three):
    saved_runs.change(store, WORKSPACE, [three[0]], name="  The Pool, \0again ")
    saved_runs.change(store, WORKSPACE, [three[1]], note="for the Review")
    assert ids(store, words="review") == [three[1]]
    assert ids(store, words="again") == [three[0]]
    found = {run.id: run for run in saved_runs.find(store, WORKSPACE, Filter()).runs}
    assert found[three[0]].name == "The Pool, again"
    assert found[three[1]].note == "for the Review"
    saved_runs.change(store, WORKSPACE, [three[1]], note="")
    assert ids(store, words="review") == []


def test_another_workspace_reads_and_changes_nothing(store, three):
    assert load_run(store, "another", three[0]) is None
    assert latest(store, "another") is None
    assert find_earlier_texts(store, WORKSPACE, "text_qa_template")
    assert not find_earlier_texts(store, "another", "text_qa_template")
    saved_runs.change(store, "another", [three[0]], name="mine")
    saved_runs.change(store, "another", three, deleted=1.0)
    assert ids(store) == three[::-1]
    assert ids(store, words="mine") == []
