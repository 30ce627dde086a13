"""The first screen as a person sees it: at every size, with the keyboard, and its ways in."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import press, run_button, settled
from tests.browser.layout import (
    MENU,
    SIZES,
    cut,
    faults,
    fits_across,
    menu_has_a_line_below_the_name,
)

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
    ".figure",
)
WORDS = (".st-key-menu a", ".st-key-lead button", ".st-key-mode_cards p", ".st-key-run button")
# Whether nothing lies over the sidebar where the menu would be.
_ON_TOP = """() => [[40, 30], [40, 65], [200, 65]].every(
  at => document.elementFromPoint(...at).closest('[data-testid=stSidebar]'))"""
_LINES = """words => Math.round(words.getBoundingClientRect().height
  / parseFloat(getComputedStyle(words).lineHeight))"""
# The names of modes that take two lines on their cards.
_BROKEN = """() => [...document.querySelectorAll('.st-key-mode_cards p > strong:first-child')]
  .filter(name => name.getClientRects().length > 1).map(name => name.innerText)"""


def test_nothing_overlaps_or_is_cut_at_any_size_the_folded_sidebar_opens_and_own_text_waits(
    tab: Page, app_url: str
):
    tab.set_viewport_size({"width": 800, "height": 1000})  # the sidebar is folded at the start
    tab.goto(f"{app_url}/?w=new")
    tab.locator(".figure rect").first.wait_for(state="attached")
    tab.get_by_test_id("stDataFrame").wait_for(state="attached")
    for width, height in SIZES[1::-1]:
        tab.set_viewport_size({"width": width, "height": height})
        settled(tab)
        nothing_overlaps_or_is_cut(tab, width)
    sidebar = tab.get_by_test_id("stSidebar")
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    tab.get_by_test_id("stExpandSidebarButton").click()
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    settled(tab)
    expect(tab.get_by_role("combobox", name="Model")).to_be_in_viewport()
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    assert tab.evaluate(_ON_TOP) is True
    for width, height in SIZES[2:]:
        tab.set_viewport_size({"width": width, "height": height})
        settled(tab)
        nothing_overlaps_or_is_cut(tab, width)
        assert tab.evaluate(_ON_TOP) is True
        if width == 1440:
            buttons_of_the_table_of_chunks_lie_on_no_button_above_it(tab)
    press(tab, "Use my own text")
    expect(tab.get_by_role("textbox", name="Text", exact=True)).to_be_focused()


def buttons_of_the_table_of_chunks_lie_on_no_button_above_it(tab: Page):
    """They show as long as the mouse, on its way up from the table, does not leave them."""
    samples = tab.get_by_role("button", name="Samples").bounding_box()
    assert samples is not None
    x, y = samples["x"] + samples["width"] / 2, samples["y"] + samples["height"] / 2
    tab.mouse.move(x, y + 100, steps=3)
    expect(tab.get_by_test_id("stElementToolbar")).to_be_visible()
    tab.mouse.move(x, y, steps=15)
    assert not tab.evaluate(
        "at => !!document.elementFromPoint(...at).closest('[data-testid=stElementToolbar]')", [x, y]
    )
    tab.mouse.move(0, 0)


def nothing_overlaps_or_is_cut(tab: Page, width: int):
    folded = []
    if width <= 1000:  # on wider blanks the browser remembers what it showed last
        tab.get_by_test_id("stExpandSidebarButton").wait_for()
        folded = [".stAppHeader button"]
    expect(tab.get_by_text("Synthesis playground", exact=True)).to_be_in_viewport()
    assert faults(tab, *folded, *MENU) == []
    if width == 390:
        menu_has_a_line_below_the_name(tab)
    assert faults(tab, *MAIN) == []
    assert cut(tab, *WORDS) == []
    assert fits_across(tab), width
    expect(run_button(tab)).to_be_in_viewport()
    assert width < 800 or tab.locator(".headline").evaluate(_LINES) <= 3
    if width == 1440:  # the cards of a common laptop are narrower
        tab.set_viewport_size({"width": 1280, "height": 720})
        settled(tab)
        assert tab.evaluate(_BROKEN) == []
    if width <= 800:  # the bar with Run has room of its own
        says = re.compile(r"compact\s*2 calls, at most 1,863 tokens")
        expect(tab.locator(".run-words")).to_have_text(says)
        expect(tab.locator("kbd")).to_be_hidden()
        tab.mouse.move(width / 2, 400)
        tab.mouse.wheel(0, 20_000)
        tab.wait_for_timeout(300)
        assert faults(tab, ".st-key-run", ".figure", ".st-key-finding") == []
        tab.mouse.wheel(0, -20_000)


def test_beside_the_open_sidebar_of_a_narrow_page_menu_and_run_have_room(page: Page):
    page.set_viewport_size({"width": 800, "height": 1000})
    page.reload()
    run_button(page).wait_for()
    settled(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "false")
    menu_has_a_line_below_the_name(page)
    assert faults(page, "[data-testid=stSidebar]", ".st-key-menu", ".st-key-run") == []
