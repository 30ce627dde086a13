"""The page "What if" as a person uses it: every axis, the slider, a link, and back with a value."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import settled


@pytest.fixture
def what_if(tab: Page, app_url: str) -> Page:
    tab.goto(f"{app_url}/what_if?w=new")
    says(tab, "At 1,024 tokens compact makes 2 calls.")
    settled(tab)
    return tab


def says(page: Page, text: str):
    """Wait for the headline; the first look at an axis plans every mode at every value."""
    expect(page.locator(".lede")).to_contain_text(text)


def press_on_slider(page: Page, name: str, *keys: str):
    page.get_by_test_id("stMain").get_by_role("slider", name=name).focus()
    for key in keys:
        page.keyboard.press(key)


def test_the_curves_follow_a_switch_between_light_and_dark(what_if: Page):
    chart = what_if.locator(".js-plotly-plot .main-svg").locator("visible=true").first
    expect(chart).to_have_css("background-color", "rgb(255, 255, 255)")
    what_if.emulate_media(color_scheme="dark")
    expect(chart).to_have_css("background-color", "rgb(16, 18, 21)")


def test_a_window_tried_here_is_the_playgrounds(what_if: Page):
    page = what_if
    press_on_slider(page, "context window", "ArrowLeft")
    expect(page.get_by_text("compact at 1,023 tokens")).to_be_visible()
    settled(page)
    press_on_slider(page, "context window", "Home")
    expect(page.get_by_text("you are here: 400").first).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Use this window").click()
    expect(page.get_by_role("spinbutton", name="Context window")).to_have_value("400")
    settled(page)
    page.get_by_role("link", name="Playground").click()
    expect(page.get_by_role("textbox", name="Question")).to_be_visible()
    expect(page.get_by_role("spinbutton", name="Context window")).to_have_value("400")
    expect(page.get_by_text("window 400").first).to_be_attached()


def test_the_address_with_a_dash_leads_here_with_its_choices(tab: Page, app_url: str):
    tab.goto(f"{app_url}/what-if?axis=chunks&goal=summary")
    says(tab, "With 12 chunks compact makes 2 calls.")
    expect(tab.locator(".headline")).to_contain_text("With 12 chunks take tree_summarize")
    tab.get_by_role("link", name="Compare").click()
    expect(tab.locator(".headline")).to_contain_text("Take tree_summarize")
