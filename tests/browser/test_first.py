"""The first screen as a person sees it, at every size."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import press, run, run_button, sentence, settled
from tests.browser.first_screen import read_screen
from tests.browser.layout import MENU, SIZES, cut, faults, fits_across

MAIN = (
    ".st-key-menu",
    ".st-key-query_str",
    ".st-key-inputs_shown",
    ".st-key-mode_cards",
    ".st-key-head",
    ".st-key-views",
    ".st-key-picture .scene",
)
PLACED = (
    ".st-key-query_str",
    ".st-key-inputs_shown",
    ".st-key-mode_cards",
    ".lede",
    ".st-key-views",
    ".answer-strip",
    ".st-key-picture .scene",
)
"""What stands at one place before a run and after it."""
WORDS = (".st-key-menu a", ".lede", ".st-key-run button")


def test_nothing_overlaps_or_is_cut_at_any_size_and_own_text_waits(tab: Page, app_url: str):
    tab.goto(f"{app_url}/?w=new&mode=compact")
    tab.locator(".scene rect").first.wait_for(state="attached")
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        settled(tab)
        assert faults(tab, *MENU) == [], width
        assert faults(tab, *MAIN) == [], width
        assert cut(tab, *WORDS) == [], width
        assert fits_across(tab), width
        expect(run_button(tab)).to_be_in_viewport()
        if width <= 800:  # the bar with Run has room of its own
            says = re.compile(r"compact\s*2 calls, at most 1,863 tokens")
            expect(tab.locator(".run-words")).to_have_text(says)
    press(tab, "Own text", exact=True)
    expect(tab.get_by_role("textbox", name="Text", exact=True)).to_be_visible()


@pytest.mark.parametrize("query", ["?w=new", "?w=new&mode=compact"], ids=["opening", "plan"])
def test_the_first_screen_has_few_words_and_controls(tab: Page, app_url: str, query):
    tab.set_viewport_size({"width": 1440, "height": 900})
    tab.goto(f"{app_url}/{query}")
    tab.locator(".scene rect").first.wait_for(state="attached")
    settled(tab)
    screen = read_screen(tab)
    assert 60 < len(screen.words) <= 130, screen.words
    assert 20 < len(screen.controls) <= 35, screen.controls


def test_nothing_moves_at_run(tab: Page, app_url: str):
    tab.set_viewport_size({"width": 1440, "height": 900})
    tab.goto(f"{app_url}/?w=new&mode=compact")
    sentence(tab, "compact would make 2 calls").wait_for()
    settled(tab)
    places = [tab.locator(one).bounding_box() for one in PLACED]
    run(tab, "compact made 2 calls")
    settled(tab)
    for name, before in zip(PLACED, places, strict=True):
        after = tab.locator(name).bounding_box()
        assert before is not None
        assert after is not None
        assert [abs(before[side] - after[side]) <= 2 for side in ("x", "y")] == [True, True], name
