"""The view Questions as a person uses it: a set is dropped, run, and judged with the keys."""

from playwright.sync_api import FilePayload, Page, expect

from tests.browser.actions import press, settled
from tests.browser.layout import cut
from tests.browser.test_axe import MAIN, check

SET = b"""query,facts,checks
What caused the outage and how was it fixed?,"8 instead of 80
DNS hypothesis",word-count: 500
Which work is still open?,load test,not-contains: sorry
"""


def test_a_set_is_dropped_run_and_judged_with_the_keys(tab: Page, app_url: str):
    tab.goto(f"{app_url}/compare?w=new&compare_view=grid")
    press(tab, "Edit columns")
    settled(tab)
    tab.get_by_text("A set of questions, with").click()
    file = FilePayload(name="mine.csv", mimeType="text/csv", buffer=SET)
    tab.locator("input[type=file]").set_input_files(file)
    tab.get_by_text("A set of 2 questions").wait_for()
    press(tab, "Done")
    press(tab, "Run all")
    tab.get_by_role("button", name="Run again").wait_for()
    settled(tab)
    tab.get_by_role("button", name="Which work is still open?").click()
    tab.get_by_text("Question 2 · 0 of 2 judged").wait_for()
    settled(tab)
    check(tab, MAIN)
    for width, height in ((1440, 900), (800, 1000), (390, 844)):
        tab.set_viewport_size({"width": width, "height": height})
        settled(tab)
        assert not cut(tab, "[data-testid=stMain]", ".questions thead th")
    tab.set_viewport_size({"width": 1440, "height": 900})
    tab.get_by_role("button", name="What caused the outage").click()
    tab.get_by_text("Question 1 · 0 of 2 judged").wait_for()
    judge_with_the_keys(tab)


def judge_with_the_keys(tab: Page):
    """1 says that the first card is right, Enter goes on, 0 says that none is."""
    settled(tab)
    tab.keyboard.press("1")
    tab.get_by_text("Question 1 · 1 of 2 judged").wait_for()
    expect(tab.get_by_role("button", name="Right", exact=False).first).to_be_visible()
    settled(tab)
    tab.keyboard.press("Enter")
    tab.get_by_text("Question 2 · 1 of 2 judged").wait_for()
    settled(tab)
    tab.keyboard.press("0")
    tab.get_by_text("Question 2 · 2 of 2 judged").wait_for()
