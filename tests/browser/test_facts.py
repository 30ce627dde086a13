"""Facts as a person follows them: which mode loses the root cause, where, and what to change."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import sentence, settled
from tests.browser.layout import SIZES, cut, faults
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
    tab.get_by_role("button", name="Run the other 1").click()
    expect(said.get_by_text("“8 instead of 80” is in the answer")).to_be_visible()
    click(tab, "funnel", "Call 3 dropped “73 minutes”")
    expect(said.get_by_text("“73 minutes”").first).to_be_visible()
    expect(said.get_by_text("held it", exact=False).first).to_be_visible()


def test_nothing_of_the_funnel_meets_at_any_width_and_columns_have_room(tab: Page, app_url: str):
    tab.goto(f"{app_url}/compare?w=new&compare_view=facts")
    tab.get_by_role("button", name="Run all").click()
    expect(sentence(tab, "Only simple_summarize loses")).to_be_visible()
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        settled(tab)
        assert not faults(tab, ".figure .shortened", ".figure text")
        lost = tab.locator(".figure .shortened:visible", has_text="never sent: window")
        expect(lost.first).to_be_visible()
        if width >= 1024:
            names = ".figure .shortened:not(.small)"
            assert len(cut(tab, names)) <= 1
        if width == 1024:  # the open sidebar leaves as little room as a page of 800 pixels has
            expect(tab.locator(".figure.from-480")).to_be_visible()
            expect(tab.locator(".figure.from-900")).to_be_hidden()
            columns = tab.locator(".st-key-two_fact [data-testid=stColumn]")
            tops = [box["y"] for box in map(Locator.bounding_box, columns.all()) if box]
            assert tops[0] < tops[1]


def test_a_lost_fact_is_lit_and_nothing_meets_at_any_width(tab: Page, app_url: str):
    tab.goto(f"{app_url}/?w=new&mode=refine")
    tab.get_by_role("button", name="Run").first.click()
    expected = tab.get_by_label("Should have been in the answer")
    expected.fill("73 minutes")
    expected.press("Enter")
    expect(tab.get_by_text("Its way through the calls")).to_be_visible()
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        settled(tab)
        assert not faults(tab, ".figure text")
        expect(tab.locator(".figure text:visible", has_text="lost here").first).to_be_visible()
    tab.get_by_role("button", name="Open call 3").click()
    expect(tab.get_by_text("Call 3 of 12")).to_be_visible()
    tab.get_by_role("radio", name="Answer").click()
    tab.get_by_role("button", name="Put it back and go on").click()
    expect(
        tab.get_by_text("goes on from an answer that was edited by hand: call 3")
    ).to_be_visible()
