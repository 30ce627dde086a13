"""A trace that is dropped into the page Import, in Chromium."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.actions import run_button, sentence

TRACE = Path(__file__).parents[1] / "traces" / "examples" / "sdk.jsonl"


def test_a_trace_is_dropped_and_opens_as_a_run(page: Page):
    link = page.get_by_role("link", name="Import", exact=True)
    link.click()
    expect(page.get_by_role("button", name="Try our example")).to_be_visible()
    page.locator("input[type=file]").set_input_files(TRACE)
    expect(sentence(page, "this app computes the same 2 prompts")).to_be_visible()
    page.get_by_role("button", name="Open as a run").click()
    expect(sentence(page, "accumulate made 2 calls")).to_be_visible()
    expect(run_button(page)).to_contain_text("Run again")
    page.get_by_role("link", name="Back to the trace").click()
    expect(sentence(page, "this app computes the same 2 prompts")).to_be_visible()
