"""What passed against its cost in Compare, and a lost fact of the Playground."""

from playwright.sync_api import Page, expect

from tests.browser.actions import choose, settled
from tests.browser.layout import SIZES, at_usual_size, faults
from tests.browser.test_axe import MAIN, check


def each_point_of_the_chart_has_the_letter_of_its_column(tab: Page):
    choose(tab, "Chart")
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        settled(tab)
        letters = tab.locator(".st-key-chart .textpoint text")
        expect(letters.first).to_be_visible()
        drawn = ", ".join(letters.all_text_contents())
        assert sorted(drawn.split(", ")) == list("ABCD")
        assert not faults(tab, ".st-key-chart .textpoint text")
    at_usual_size(tab)
    check(tab, MAIN)


def test_what_passed_and_its_cost_are_seen_at_every_width(tab: Page, app_url: str):
    tab.goto(f"{app_url}/compare?w=new")
    tab.get_by_role("button", name="Run all").click()
    tab.get_by_role("button", name="Run again").wait_for()
    each_point_of_the_chart_has_the_letter_of_its_column(tab)


def test_a_lost_fact_is_lit_and_nothing_meets_at_any_width(tab: Page, app_url: str):
    tab.goto(f"{app_url}/?w=new&mode=refine")
    tab.get_by_role("button", name="Run").first.click()
    expected = tab.get_by_label("Should have been in the answer")
    expected.fill("73 minutes")
    expected.press("Enter")
    tab.get_by_text("Its way through the calls").wait_for()
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        settled(tab)
        assert not faults(tab, ".figure text")
        tab.locator(".figure text:visible", has_text="lost here").first.wait_for()
    tab.get_by_role("button", name="Open call 3").click()
    tab.get_by_text("Call 3 of 12").wait_for()
    tab.get_by_role("radio", name="Answer").click()
    tab.get_by_role("button", name="Put it back and go on").click()
    expect(
        tab.get_by_text("goes on from an answer that was edited by hand: call 3")
    ).to_be_visible()
