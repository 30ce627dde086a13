"""The grid as a person uses it: a set is dropped and run, and one of its runs is looked at."""

from playwright.sync_api import FilePayload, Page, expect

from tests.browser.actions import press, settled
from tests.browser.layout import cut, faults
from tests.browser.test_axe import MAIN, check

SET = b"""query,facts,checks
What caused the outage and how was it fixed?,"8 instead of 80
DNS hypothesis",word-count: 500
Which work is still open?,load test,not-contains: sorry
"""


def test_a_set_is_dropped_and_one_of_its_runs_is_opened(tab: Page, app_url: str):
    tab.goto(f"{app_url}/compare?w=new&compare_view=grid")
    press(tab, "Edit columns")
    settled(tab)
    tab.get_by_text("A set of questions, with").click()
    file = FilePayload(name="mine.csv", mimeType="text/csv", buffer=SET)
    tab.locator("input[type=file]").set_input_files(file)
    tab.get_by_text("A set of 2 questions").wait_for()
    press(tab, "Done")
    press(tab, "Run all")
    tab.locator(".grid .rate").first.wait_for()
    settled(tab)
    tab.locator(".grid tbody tr").first.get_by_text("simple_summarize, repeat 1").click()
    tab.get_by_text("“8 instead of 80” is not in the answer").wait_for()
    settled(tab)
    tab.get_by_text("What caused the outage and how was it fixed? 3 checks").click()
    tab.get_by_text("holds “8 instead of 80”").first.wait_for()
    check(tab, MAIN)
    tab.set_viewport_size({"width": 800, "height": 1000})
    settled(tab)
    assert not faults(tab, ".grid tbody .tile", ".grid tbody summary", ".outcomes td")
    assert not faults(tab, ".grid .rate b", ".grid .rate span")
    assert not cut(tab, ".grid thead th")
    tab.set_viewport_size({"width": 390, "height": 844})
    settled(tab)
    # The grid scrolls in itself, and each name still stands in a column of its own.
    assert not cut(tab, "[data-testid=stMain]", ".grid thead th", ".outcomes td")
    assert cut(tab, ".grid")
    tab.locator(".grid tbody tr").first.get_by_text("compact, repeat 1").click()
    dropped = tab.locator(".outcomes tr", has_text="Call 2 dropped")
    settled(tab)
    dropped.get_by_role("button", name="See the step").click()
    expect(tab.get_by_role("radio", name="Steps")).to_be_checked()
    tab.locator(".lede", has_text="Step 2 of 2").wait_for()
