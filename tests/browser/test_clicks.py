"""Clicks in the figures: each opens what it shows."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import look_at, run, sentence, settled

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
    tab.goto(f"{app_url}/?w=new&mode=refine")
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
