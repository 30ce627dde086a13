"""The pictures as a person touches them: handles, chunks, a slider, and what a click opens."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import link, look_at, open_panel, run, sentence, settled
from tests.browser.layout import fits_every_width
from tests.browser.test_axe import MAIN, check


def _drag(page: Page, selector: str, by: float, to: str | None = None):
    """Drag the first of these elements across by so many pixels, or to another element."""
    settled(page)
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + min(box["height"], 16) / 2
    if to is not None:
        place = page.locator(to).first.bounding_box()
        assert place is not None
        by = place["x"] + 3 - x
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by, y, steps=6)
    page.mouse.up()


def test_the_window_the_answer_and_a_chunk_are_dragged(tab: Page, app_url: str):
    tab.goto(link(app_url, mode="compact"))
    sentence(tab, "compact would make 2 calls").wait_for()
    window = tab.get_by_role("slider", name="Context window, in tokens")
    answer = tab.get_by_role("slider", name="Answer length, in tokens")
    expect(window).to_have_attribute("aria-valuenow", "1024")

    _drag(tab, ".handle.window", -120)
    sentence(tab, "compact would make 2 calls").wait_for(state="detached")
    open_panel(tab, "Limits")
    field = tab.get_by_role("spinbutton", name="Context window")
    expect(field).to_have_value(str(window.get_attribute("aria-valuenow")))

    _drag(tab, ".handle.answer", 12)
    expect(answer).not_to_have_attribute("aria-valuenow", "128")
    expect(tab.get_by_role("spinbutton", name="Answer length")).not_to_have_value("128")

    open_panel(tab, "Chunks")
    chunk = 'rect[data-mark="chunk {}"]:not([data-from])'
    _drag(tab, chunk.format(9), 0, to=chunk.format(2))
    second = tab.get_by_role("list", name="Chunks").get_by_role("listitem").nth(1)
    expect(second).to_contain_text("Root cause.")


def test_handles_move_by_keys_and_a_chunk_shows_its_way(tab: Page, app_url: str):
    tab.goto(link(app_url, mode="compact"))
    sentence(tab, "compact would make 2 calls").wait_for()
    settled(tab)
    window = tab.get_by_role("slider", name="Context window, in tokens")
    window.press("Shift+ArrowRight")
    window.press("ArrowLeft")
    expect(window).to_have_attribute("aria-valuenow", "1080")
    expect(tab.locator(".st-key-picture .drawing")).to_contain_text("1,080")  # drawn anew
    expect(window).to_be_focused()
    open_panel(tab, "Limits")
    field = tab.get_by_role("spinbutton", name="Context window")
    expect(field).to_have_value("1080")
    slider = tab.locator(".st-key-context_window_slider input")
    slider.press("ArrowRight")
    expect(field).to_have_value("1081")
    expect(slider).to_be_focused()
    expect(window).to_have_attribute("aria-valuenow", "1081")
    settled(tab)
    tab.locator('rect[data-mark="chunk 3"]:not([data-from])').first.hover()
    says = tab.locator(".st-key-picture .says")
    expect(says).to_contain_text("chunk 3 · 114 tokens, sent once")
    expect(says).to_contain_text("First hypothesis. Logs of the checkout pods")
    expect(tab.locator('.band.near[data-from="chunk 3"]')).to_have_count(1)
    expect(tab.locator('.near[data-from="chunk 3"]').first).to_have_css("opacity", "1")
    expect(tab.locator('.band[data-from="chunk 1"]')).to_have_css("opacity", "0.4")
    open_panel(tab, "Limits")  # on a narrow page it is folded again
    fits_every_width(tab)


# The middle of the bar that says something; it keeps what it says once the pointer was on it.
_MIDDLE = """([key, words]) => {
  for (const bar of document.querySelectorAll(`.st-key-${key} rect`)) {
    const says = bar.says ?? bar.querySelector(':scope > title')?.textContent;
    const box = bar.getBoundingClientRect();
    if (says?.startsWith(words) && box.width > 3)
      return [box.x + box.width / 2, box.y + box.height / 2];
  }
}"""


def point_at(page: Page, figure: str, words: str):
    """Move the pointer to the first bar of a picture that says something that begins like this."""
    bar = page.locator(f".st-key-{figure} rect:visible").first
    bar.wait_for()
    settled(page)  # or it would scroll to what is about to be replaced
    bar.scroll_into_view_if_needed()
    page.mouse.move(*page.evaluate(_MIDDLE, [figure, words]))
    said = page.locator(f".st-key-{figure} .says")
    said.wait_for()
    expect(said).to_have_text(re.compile("^" + re.escape(words)))


def click(page: Page, figure: str, words: str):
    point_at(page, figure, words)
    page.mouse.down()
    page.mouse.up()


def test_a_click_in_each_figure_opens_what_it_shows(tab: Page, app_url: str):
    tab.goto(link(app_url, mode="refine"))
    run(tab, "refine made 12 calls")
    look_at(tab, "Steps")
    click(tab, "steps", "call 7")
    sentence(tab, "Step 7 of 12").wait_for()
    look_at(tab, "Picture")
    click(tab, "picture", "call 5")
    tab.get_by_text("Call 5 of 12").wait_for()
    look_at(tab, "Coverage")
    click(tab, "coverage", "chunk 4")
    tab.get_by_text("Chunk 4: all of it is sent").wait_for()


def test_it_fits_has_both_themes_and_its_slider_is_the_window(tab: Page, app_url: str):
    tab.goto(link(app_url, mode="compact") + "&plan_view=by_window")
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
