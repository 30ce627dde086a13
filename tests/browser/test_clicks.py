"""Clicks in the figures: each opens what it shows."""

from playwright.sync_api import Page, expect

from tests.browser.actions import choose_mode, look_at, run_button, sentence, settled

# The middle of the bar with this customdata; Plotly keeps both on the elements it draws.
_MIDDLE = """([key, wanted]) => {
  for (const trace of document.querySelectorAll(`.st-key-${key} g.trace.bars`)) {
    for (const point of trace.querySelectorAll('g.point')) {
      const given = trace.__data__[0].trace.customdata?.[point.__data__.i];
      if (JSON.stringify(given)?.startsWith(wanted)) {
        const box = point.querySelector('path').getBoundingClientRect();
        if (box.width > 3) return [box.x + box.width / 2, box.y + box.height / 2];
      }
    }
  }
}"""


def click(page: Page, figure: str, customdata: str):
    """Click the first bar of a figure whose customdata begin like this, as JSON."""
    page.locator(f".st-key-{figure} .bars path").first.wait_for(state="attached")
    settled(page)  # or it would scroll to what is about to be replaced
    page.locator(f".st-key-{figure}").scroll_into_view_if_needed()
    settled(page)
    page.mouse.click(*page.evaluate(_MIDDLE, [figure, customdata]))


def test_a_click_in_each_figure_opens_what_it_shows(page: Page):
    choose_mode(page, "refine")
    settled(page)
    run_button(page).click()
    expect(sentence(page, "refine made 12 calls")).to_be_visible()
    settled(page)
    look_at(page, "Steps")
    click(page, "wide-step_figure", '["step",7]')
    expect(sentence(page, "Step 7 of 12")).to_be_visible()
    look_at(page, "Flow")
    click(page, "wide-flow", '["call",5]')
    expect(page.get_by_text("Call 5 of 12")).to_be_visible()
    look_at(page, "Timeline")
    click(page, "wide-timeline", '["call",9]')
    expect(page.get_by_text("Call 9 of 12")).to_be_visible()
    look_at(page, "Coverage")
    click(page, "coverage", "[4,")
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
    expect(page.get_by_text("at level 0 read")).to_be_visible()
    click(page, "wide-step_figure", '["call",3]')
    expect(page.get_by_text("New: ")).to_be_visible()
    root = page.get_by_text("at level 1 reads")
    expect(root).to_have_count(0)
    click(page, "wide-step_figure", '["call",6]')
    expect(root).to_be_visible()
