"""The grid as a person uses it: a set is dropped and run, and one of its runs is looked at."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, FilePayload, expect

from tests.browser.actions import settled
from tests.browser.layout import faults
from tests.browser.test_axe import OPTIONS

SET = b"""query,facts,checks
What caused the outage?,8 instead of 80,word-count: 500
Which work is still open?,load test,not-contains: sorry
"""


def test_a_set_is_dropped_and_one_of_its_runs_is_opened(context: BrowserContext, app_url: str):
    page = context.new_page()
    page.goto(f"{app_url}/compare?w=new&compare_view=grid")
    page.get_by_role("button", name="Edit columns").click()
    page.get_by_text("A set of questions, with").click()
    file = FilePayload(name="mine.csv", mimeType="text/csv", buffer=SET)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("A set of 2 questions")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    settled(page)
    page.get_by_role("button", name="Run all").click()
    expect(page.locator(".grid .rate").first).to_be_visible()
    page.get_by_role("combobox", name="Column").click()
    page.get_by_role("option", name="in simple_summarize").click()
    expect(page.get_by_text("“8 instead of 80” was never sent")).to_be_visible()
    page.get_by_text("What caused the outage? 2 checks").click()
    expect(page.get_by_text("holds “8 instead of 80”").first).to_be_visible()
    settled(page)
    found = Axe().run(page, options=OPTIONS)
    assert not found.violations_count, found.generate_report()
    page.set_viewport_size({"width": 800, "height": 1000})
    settled(page)
    assert not faults(page, ".grid tbody .tile", ".grid tbody summary", ".outcomes td")
    page.close()
