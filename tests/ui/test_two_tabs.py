"""Two tabs of one workspace: a press starts what its own tab shows, or nothing."""

import pytest

from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.test_compare import ONE_CHUNK, Compare, at
from tests.ui.test_judge import YES, Judge
from ui.pages.compare.columns import Column
from ui.pages.compare.run_slots import RunSlot
from ui.session import keys

pytestmark = pytest.mark.slow

SAID = "Your press did nothing."


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (keys.COLUMNS, (Column("A", (("mode", "refine"),)), Column("B", (("mode", "no_text"),)))),
        (keys.QUESTIONS, "What failed?\nWhen?"),
        (keys.REPEATS, 3),
        ("query_str", "Who was told?"),
    ],
)
def test_run_all_starts_nothing_that_its_tab_does_not_show(key, value):
    page = Compare()
    page.put(**{key: value})
    page.press("run_button")
    assert not page.compared
    assert SAID in page.text
    page.finish()
    assert page.compared
    assert SAID not in page.text


def test_what_a_tab_changes_itself_is_run_at_once():
    page = Compare().edit()
    page.at.number_input(key=keys.REPEATS).set_value(2)
    page.finish()  # which brings both to the server together
    assert RunSlot("A", 0, 1) in page.compared


def test_run_all_asks_nothing_again_that_another_tab_ran():
    with FakeOpenAI(Answer("Noon.")) as server:
        columns = [at(server, mode=mode, model_name="m") for mode in ("compact", "refine")]
        page = Compare(*columns, chunks=ONE_CHUNK)
        Compare.of(page.space).finish()
        sent = len(server.requests)
        page.finish()
        assert len(server.requests) == sent
        assert page.button.label == "Run again"
        assert len(page.finish() and server.requests) > sent


def test_a_column_starts_nothing_that_its_tab_does_not_show():
    page = Compare({"mode": "compact"}, {"mode": "no_text"}, compare_questions="What failed?")
    page.finish().edit().enter(keys.QUESTIONS, "What failed?\nWhen?")
    page.put(num_output=90)
    page.press("run A")
    assert SAID in page.text


def test_the_judge_is_asked_nothing_that_its_tab_does_not_show():
    with FakeOpenAI(YES) as server:
        page = Judge(server=server)
        page.put(**{keys.JUDGE_REPEATS: 2})
        page.press("judge_button")
        assert not page.round.jobs
        assert SAID in page.text
        assert page.judge().round.jobs


def test_judge_asks_nothing_again_that_was_asked_in_another_tab():
    with FakeOpenAI(YES) as server:
        page = Judge(server=server)
        Judge.of(page.space).judge()
        sent = len(server.requests)
        assert len(page.judge() and server.requests) == sent
        assert page.button.label == "Judge again"
