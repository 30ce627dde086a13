"""The first screen as a person sees it: at every size, with the keyboard, and its ways in."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import run_button, sentence, settled
from tests.browser.layout import SIZES, cut, faults

MAIN = (
    ".st-key-menu",
    ".st-key-lead",
    ".st-key-question_head",
    ".st-key-query_str",
    ".st-key-chunks_head",
    "[data-testid=stDataFrame]",
    ".st-key-mode_head",
    ".st-key-mode_cards button",
    ".st-key-templates",
    ".lede",
    ".tags",
    ".figure",
)
MENU = (".brand", ".st-key-menu [data-testid=stPageLink]", ".st-key-menu [data-testid=stPopover]")
WORDS = (".st-key-menu a", ".st-key-lead button", ".st-key-mode_cards p", ".st-key-run button")
# Whether nothing lies over the sidebar where the menu would be.
_ON_TOP = """() => [[40, 30], [40, 65], [200, 65]].every(
  at => document.elementFromPoint(...at).closest('[data-testid=stSidebar]'))"""
_LINES = """words => Math.round(words.getBoundingClientRect().height
  / parseFloat(getComputedStyle(words).lineHeight))"""
# The names of modes that take two lines on their cards.
_BROKEN = """() => [...document.querySelectorAll('.st-key-mode_cards p > strong:first-child')]
  .filter(name => name.getClientRects().length > 1).map(name => name.innerText)"""
_FOCUSED = "document.activeElement.innerText"


def at_size(page: Page, app_url: str, width: int, height: int):
    """Open the page anew at this size: the sidebar is folded when the page is opened."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{app_url}/?w=new")
    expect(page.locator(".figure rect").first).to_be_attached()
    expect(page.get_by_test_id("stDataFrame")).to_be_attached()
    settled(page)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_overlaps_or_is_cut_at_any_size(tab: Page, app_url: str, width: int, height: int):
    at_size(tab, app_url, width, height)
    folded = []
    if width <= 1000:  # on wider blanks the browser remembers what it showed last
        expect(tab.get_by_test_id("stExpandSidebarButton")).to_be_visible()
        folded = [".stAppHeader button"]
    expect(tab.get_by_text("Synthesis playground", exact=True)).to_be_in_viewport()
    assert faults(tab, *folded, *MENU) == []
    assert faults(tab, *MAIN) == []
    assert cut(tab, *WORDS) == []
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    expect(run_button(tab)).to_be_in_viewport()
    assert width < 800 or tab.locator(".headline").evaluate(_LINES) <= 3
    if width == 1440:  # the cards of a common laptop are narrower
        tab.set_viewport_size({"width": 1280, "height": 720})
        settled(tab)
        assert tab.evaluate(_BROKEN) == []
    if width <= 800:  # the bar with Run has room of its own
        says = re.compile(r"compact\s*2 calls, at most 1,883 tokens")
        expect(tab.locator(".run-words")).to_have_text(says)
        expect(tab.locator("kbd")).to_be_hidden()
        tab.mouse.move(width / 2, 400)
        tab.mouse.wheel(0, 20_000)
        tab.wait_for_timeout(300)
        assert faults(tab, ".st-key-run", ".figure", ".st-key-finding") == []


@pytest.mark.parametrize("path", ["", "compare", "what_if", "learn", "runs", "import"])
def test_on_a_phone_the_menu_has_a_line_below_the_name(tab: Page, app_url: str, path: str):
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(f"{app_url}/{path}?w=new")
    settled(tab)
    name, links = (
        tab.locator(found).evaluate_all("found => found.map(one => one.getBoundingClientRect())")
        for found in MENU[:2]
    )
    [top] = {link["top"] for link in links}
    assert top >= name[0]["bottom"]
    folded = [] if path in ("runs", "import") else [".stAppHeader button"]
    assert faults(tab, *folded, *MENU) == []


@pytest.mark.parametrize("width", [390, 1440])
def test_the_folded_sidebar_opens_with_a_click(tab: Page, app_url: str, width: int):
    at_size(tab, app_url, width, 900)
    sidebar, opens = tab.get_by_test_id("stSidebar"), tab.get_by_test_id("stExpandSidebarButton")
    if width > 1000:
        sidebar.hover()
        tab.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    settled(tab)  # folding moves the button that opens it again
    opens.click()
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    settled(tab)
    expect(tab.get_by_role("combobox", name="Model")).to_be_in_viewport()
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    assert tab.evaluate(_ON_TOP) is True


def test_run_is_at_most_22_tab_stops_from_the_top(page: Page):
    settled(page)
    for _ in range(22):
        page.keyboard.press("Tab")
        if re.match(r"play_arrow\s+Run\s+Ctrl", page.evaluate(_FOCUSED)):
            return
    raise AssertionError(f"After 22 stops the focus is at {page.evaluate(_FOCUSED)!r}.")


def test_the_lesson_opens_and_the_way_back_keeps_the_question(page: Page):
    question = page.get_by_role("textbox", name="Question")
    question.fill("Who was told?")
    question.press("Tab")
    settled(page)
    page.get_by_role("button", name="4-minute lesson").click()
    expect(page.get_by_text("Lesson 1").first).to_be_visible()
    page.get_by_role("link", name="Playground").click()
    expect(question).to_have_value("Who was told?")
    expect(page.get_by_text("Now they must become one answer.")).to_have_count(0)


def test_a_typed_question_can_be_run_with_one_click(page: Page):
    question = page.get_by_role("textbox", name="Question")
    question.fill("")
    question.press("Control+Enter")
    expect(run_button(page)).to_be_disabled()
    question.press_sequentially("Who was told?")
    expect(run_button(page)).to_be_enabled()
    run_button(page).click()
    expect(sentence(page, "compact made 2 calls")).to_be_visible()


def test_own_text_has_its_box_open_and_waits_for_typing(page: Page):
    page.get_by_role("button", name="Use my own text").click()
    expect(page.get_by_role("textbox", name="Text", exact=True)).to_be_focused()
