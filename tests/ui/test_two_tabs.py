"""Two tabs of one workspace: a press starts what its own tab shows, or nothing."""

import pytest

from tests.ui.test_compare import Compare
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
