"""axe-core finds nothing wrong on any page, in any of its states, light and dark."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.actions import choose_mode, look_at, run_button, sentence, settled
from tests.browser.test_import import TRACE
from tests.browser.test_runs import tick, two_runs

AXE = Axe()
THEIRS = {
    "presentation-role-conflict": "the drop zone of Streamlit's uploader has no role, but a name"
}
"""Rules that Streamlit's own elements break, and how."""

OPTIONS = {"resultTypes": ["violations"], "rules": {rule: {"enabled": False} for rule in THEIRS}}

COLOURS = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}


@pytest.fixture(params=["light", "dark"])
def color_scheme(request: pytest.FixtureRequest) -> Literal["light", "dark"]:
    return request.param


def check(page: Page) -> None:
    """Look for all faults in the light, and in the dark for those that colours make."""
    settled(page)
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found = AXE.run(page, options=COLOURS if dark else OPTIONS)
    assert not found.violations_count, found.generate_report()


def test_the_playground_before_a_run(page: Page):
    check(page)
    for view in ("Calls", "Coverage", "Data", "Plan"):
        page.get_by_role("radiogroup", name="View of the plan").get_by_role(
            "radio", name=view
        ).click()
        check(page)
    page.get_by_text("Templates ·").click()
    check(page)
    for popover in ("Own text", "Samples"):
        page.get_by_role("button", name=popover, exact=True).click()
        check(page)
        page.keyboard.press("Escape")


def test_the_playground_after_a_run(page: Page):
    choose_mode(page, "refine")
    run_button(page).click()
    expect(sentence(page, "refine made 12 calls")).to_be_visible()
    switch = page.get_by_role("radiogroup", name="View of the run")
    for view in switch.get_by_role("radio").all_inner_texts():
        look_at(page, view)
        check(page)


def test_a_run_that_waits_for_a_person(page: Page):
    page.get_by_role("button", name="Answer it yourself").click()
    page.get_by_role("textbox", name="Your answer").wait_for()
    for _ in range(3):  # the page looks for news twice a second
        check(page)
        page.wait_for_timeout(300)


def test_compare(tab: Page, app_url: str):
    tab.goto(f"{app_url}/compare?w=new")
    run = tab.get_by_role("button", name="Run all")
    run.wait_for()
    check(tab)
    run.click()
    expect(tab.get_by_role("button", name="Run again")).to_be_visible()
    check(tab)
    tab.get_by_role("button", name="Edit").first.click()
    check(tab)
    tab.get_by_role("radio", name="All modes").click()
    check(tab)


def test_what_if(tab: Page, app_url: str):
    tab.goto(f"{app_url}/what_if?w=new")
    tab.locator(".js-plotly-plot").first.wait_for()
    check(tab)


def test_import(tab: Page, app_url: str):
    tab.goto(f"{app_url}/import?w=new")
    uploader = tab.locator("input[type=file]")
    uploader.wait_for(state="attached")
    check(tab)
    uploader.set_input_files(TRACE)
    expect(sentence(tab, "this app computes the same 2 prompts")).to_be_visible()
    tab.locator(".figure").first.wait_for()
    check(tab)


def test_a_lesson(tab: Page, app_url: str):
    tab.goto(f"{app_url}/learn?w=new")
    tab.locator("h1").wait_for()
    for stage in ("Predict", "Step", "Reveal"):
        tab.get_by_role("radiogroup", name="Stage").get_by_role("radio", name=stage).click()
        check(tab)


def test_runs(page: Page):
    table = two_runs(page)
    check(page)
    tick(page, table, 1)
    page.get_by_role("button", name="Compare the two").click()
    page.get_by_text("Call by call, in tokens").wait_for()
    check(page)
