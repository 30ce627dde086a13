"""Clicks in the figures: each opens what it shows."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import choose_mode, look_at, run_button, sentence, settled

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
    expect(said).to_be_visible()
    expect(said).to_have_text(re.compile("^" + re.escape(words)))


def click(page: Page, figure: str, words: str):
    point_at(page, figure, words)
    page.mouse.down()
    page.mouse.up()


def test_a_click_in_each_figure_opens_what_it_shows(page: Page):
    choose_mode(page, "refine")
    settled(page)
    run_button(page).click()
    expect(sentence(page, "refine made 12 calls")).to_be_visible()
    settled(page)
    look_at(page, "Steps")
    click(page, "step_figure", "step 7")
    expect(sentence(page, "Step 7 of 12")).to_be_visible()
    look_at(page, "Flow")
    click(page, "flow", "call 5")
    expect(page.get_by_text("Call 5 of 12")).to_be_visible()
    look_at(page, "Timeline")
    click(page, "timeline", "call 9")
    expect(page.get_by_text("Call 9 of 12")).to_be_visible()
    look_at(page, "Coverage")
    click(page, "coverage", "chunk 4")
    expect(page.get_by_text("Chunk 4: all of it is sent")).to_be_visible()


def test_a_click_in_the_tree_goes_to_the_step_of_its_call(page: Page):
    window = page.get_by_role("spinbutton", name="Context window")
    window.fill("500")
    window.press("Enter")
    settled(page)
    choose_mode(page, "tree_summarize")
    settled(page)
    run_button(page).click()
    expect(sentence(page, "tree_summarize made")).to_be_visible()
    settled(page)
    look_at(page, "Steps")
    expect(sentence(page, "at level 0 read")).to_be_visible()
    click(page, "step_figure", "call 3")
    expect(page.get_by_text("New: ")).to_be_visible()
    root = sentence(page, "at level 1 reads")
    expect(root).to_have_count(0)
    click(page, "step_figure", "call 6")
    expect(root).to_be_visible()
