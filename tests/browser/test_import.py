"""A trace that is opened on Runs, to which the address of Import leads, in Chromium."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.actions import run_button, sentence, settled
from tests.browser.layout import at_usual_size, menu_has_a_line_below_the_name
from tests.browser.test_axe import check

TRACE = Path(__file__).parents[1] / "traces" / "examples" / "sdk.jsonl"


def test_a_trace_is_dropped_and_opens_as_a_run(tab: Page, app_url: str):
    tab.goto(f"{app_url}/import?w=new")
    tab.get_by_role("button", name="Open a trace").click()
    tab.get_by_role("button", name="Try our example").wait_for()
    check(tab)
    tab.set_viewport_size({"width": 390, "height": 844})
    settled(tab)
    menu_has_a_line_below_the_name(tab)
    at_usual_size(tab)
    tab.locator("input[type=file]").set_input_files(TRACE)
    sentence(tab, "this app computes the same 2 prompts").wait_for()
    tab.locator(".figure").first.wait_for()
    check(tab)
    tab.get_by_role("button", name="Open as a run").click()
    sentence(tab, "accumulate made 2 calls").wait_for()
    expect(run_button(tab)).to_contain_text("Run again")
    tab.get_by_role("link", name="Back to the trace").click()
    sentence(tab, "this app computes the same 2 prompts").wait_for()
