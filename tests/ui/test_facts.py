"""Facts on the pages: the funnel of Compare, and the line of the Playground."""

from tests.ui.page import Playground
from tests.ui.test_compare import Compare


def test_the_view_facts_names_the_mode_that_loses_the_root_cause():
    page = Compare().set(compare_view="facts").finish()
    assert "Only simple_summarize loses" in page.text
    assert "“max_pool_size” was never sent: the window cut it off" in page.text
    page.set(fact=7)
    assert "“8 instead of 80” was never sent" in page.text
    assert "Smallest change: window 1,024 → 1,081" in page.text


def test_the_line_of_the_playground_follows_a_fact_through_the_run():
    page = Playground(mode="simple_summarize").finish()
    assert "3 of 12 facts" in page.text
    page.set(expected="8 instead of 80")
    assert "was never sent: the window cut it off" in page.text
    page.press("try_change")
    assert page.at.session_state["window"] == 1081
    page.finish()
    assert "“8 instead of 80” is in the answer" in page.text
