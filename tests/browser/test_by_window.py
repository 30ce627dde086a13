"""The view By window as a person uses it: every width, both themes, the slider."""

from playwright.sync_api import Page, expect

from tests.browser.actions import open_panel
from tests.browser.layout import fits_every_width
from tests.browser.test_axe import MAIN, check


def test_it_fits_has_both_themes_and_its_slider_is_the_window(tab: Page, app_url: str):
    tab.goto(f"{app_url}/?w=new&mode=compact&plan_view=by_window")
    tab.locator(".js-plotly-plot").wait_for()
    expect(tab.get_by_role("radio", name="By window")).to_be_checked()
    fits_every_width(tab)
    label = tab.locator(".js-plotly-plot .xtick text").locator("visible=true").first
    expect(label).to_have_css("fill", "rgb(91, 98, 112)")
    check(tab, MAIN)  # it ends in the dark
    expect(label).to_have_css("fill", "rgb(160, 167, 178)")
    slider = tab.get_by_test_id("stMain").get_by_role("slider", name="Context window")
    slider.press("ArrowLeft")
    open_panel(tab, "Limits")
    expect(tab.get_by_role("spinbutton", name="Context window")).to_have_value("1023")
