"""The page "What if" as a person uses it: every axis, the slider, a link, and back with a value."""

from urllib.parse import parse_qs, urlsplit

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


def pick(page: Page, what: str, name: str):
    page.get_by_role("combobox", name=what).click()
    page.get_by_role("option", name=name, exact=True).click()


def press_on_slider(page: Page, name: str, *keys: str):
    page.get_by_test_id("stMain").get_by_role("slider", name=name).focus()
    for key in keys:
        page.keyboard.press(key)


def test_each_axis_has_its_sentence_and_its_slider_moves_the_plan(what_if: Page):
    page = what_if
    axes = (
        ("answer length", "With 128 tokens for an answer", "End", "With 400 tokens for an answer"),
        ("overlap", "At an overlap of 0.10", "End", "At an overlap of 0.50"),
        (
            "chunk size limit",
            "With pieces of at most 1,200 tokens",
            "Home",
            "With pieces of at most 120 tokens",
        ),
        ("number of chunks", "With 12 chunks", "Home", "With 1 chunk"),
        ("length of answers", "With answers of 128 tokens", "Home", "With answers of 1 token"),
        ("context window", "At 1,024 tokens", "End", "At 2,000 tokens"),
    )
    for axis, here, key, there in axes:
        pick(page, "What to vary", axis)
        says(page, f"{here} compact makes")
        settled(page)
        press_on_slider(page, axis, key)
        says(page, f"{there} compact makes")
        plan = page.get_by_text(f"compact {there[0].lower()}{there[1:]}")
        expect(plan).to_be_visible(timeout=60_000)
        expect(page.locator(".js-plotly-plot:visible")).to_have_count(2)
        settled(page)


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


def test_a_link_opens_the_same_screen(what_if: Page):
    page = what_if
    pick(page, "What to vary", "number of chunks")
    says(page, "With 12 chunks")
    settled(page)
    pick(page, "Mode in focus", "refine")
    says(page, "refine makes 12 calls")
    settled(page)
    press_on_slider(page, "number of chunks", "ArrowLeft")
    says(page, "With 11 chunks refine makes 11 calls")
    asked = parse_qs(urlsplit(page.url).query)
    assert (asked["axis"], asked["focus"], asked["at_chunks"]) == (
        ["chunks"],
        ["refine"],
        ["11"],
    )
    page.goto(page.url)
    says(page, "With 11 chunks refine makes 11 calls")


def test_a_narrow_page_is_not_wider_than_the_screen(what_if: Page):
    what_if.set_viewport_size({"width": 800, "height": 900})
    expect(what_if.locator(".js-plotly-plot .scatterlayer").first).to_be_attached()
    assert what_if.evaluate("document.documentElement.scrollWidth") == 800


def test_the_address_with_a_dash_leads_here_with_its_choices(tab: Page, app_url: str):
    tab.goto(f"{app_url}/what-if?axis=chunks&goal=summary")
    says(tab, "With 12 chunks compact makes 2 calls.")
    expect(tab.locator(".headline")).to_contain_text("With 12 chunks take tree_summarize")
    tab.get_by_role("link", name="Compare").click()
    expect(tab.locator(".headline")).to_contain_text("Take tree_summarize")


def test_the_reasons_are_told_when_they_are_asked_for(what_if: Page):
    what_if.get_by_role("button", name="Why").click()
    expect(what_if.get_by_text("compact makes 2 calls, one after the other.")).to_be_visible()
