"""Facts as a person follows them: which mode loses the root cause, where, and what to change."""

from playwright.sync_api import Page, expect

from tests.browser.actions import sentence, settled
from tests.browser.test_clicks import click


def test_a_newcomer_finds_who_loses_the_root_cause_and_what_to_change(tab: Page, app_url: str):
    tab.goto(f"{app_url}/compare?w=new")
    tab.get_by_role("radio", name="Facts").click()
    tab.get_by_role("button", name="Run all").click()
    expect(sentence(tab, "Only simple_summarize loses")).to_be_visible()
    settled(tab)
    said = tab.get_by_test_id("stHtml")
    click(tab, "funnel", "“8 instead of 80” was never sent")
    expect(said.get_by_text("“8 instead of 80” was never sent")).to_be_visible()
    tab.get_by_role("button", name="Try window 1,024 → 1,081").click()
    tab.get_by_role("button", name="Run all").click()
    expect(said.get_by_text("“8 instead of 80” is in the answer")).to_be_visible()
    click(tab, "funnel", "Call 3 dropped “73 minutes”")
    expect(said.get_by_text("“73 minutes”").first).to_be_visible()
    expect(said.get_by_text("held it", exact=False).first).to_be_visible()
