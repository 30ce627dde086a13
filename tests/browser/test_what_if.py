"""The page "What if" as a person uses it: every width, both themes, the slider."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import settled
from tests.browser.layout import fits_every_width
from tests.browser.test_axe import check


def says(page: Page, text: str):
    """Wait for the headline; the first look at an axis plans every mode at every value."""
    expect(page.locator(".lede")).to_contain_text(text)


def test_it_fits_has_both_themes_and_a_window_tried_here_is_used(tab: Page, app_url: str):
    tab.goto(f"{app_url}/what-if?w=new&goal=summary")  # with a dash, too, it leads there
    says(tab, "At 1,024 tokens compact makes 2 calls.")
    expect(tab.locator(".headline")).to_contain_text("take tree_summarize")
    fits_every_width(tab)
    label = tab.locator(".js-plotly-plot .xtick text").locator("visible=true").first
    expect(label).to_have_css("fill", "rgb(91, 98, 112)")
    check(tab)  # it ends in the dark
    expect(label).to_have_css("fill", "rgb(160, 167, 178)")
    slider = tab.get_by_test_id("stMain").get_by_role("slider", name="context window")
    slider.press("ArrowLeft")
    tab.get_by_text("compact at 1,023 tokens").wait_for()
    settled(tab)
    tab.get_by_role("button", name="Use this window").click()
    expect(tab).to_have_url(re.compile("[?&]window=1023(&|$)"))
