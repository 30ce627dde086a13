"""Facts as a person follows them: which mode loses the root cause, where, and what to change."""

from playwright.sync_api import Page, expect

from tests.browser.actions import settled

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


def test_a_newcomer_finds_who_loses_the_root_cause_and_what_to_change(tab: Page, app_url: str):
    tab.goto(f"{app_url}/compare?w=new")
    tab.get_by_role("radio", name="Facts").click()
    tab.get_by_role("button", name="Run all").click()
    expect(tab.get_by_text("Only simple_summarize loses")).to_be_visible()
    settled(tab)
    click(tab, "wide-funnel", "[7,3")
    expect(tab.get_by_text("“8 instead of 80” was never sent")).to_be_visible()
    tab.get_by_role("button", name="Try window 1,024 → 1,081").click()
    tab.get_by_role("button", name="Run all").click()
    expect(tab.get_by_text("“8 instead of 80” is in the answer")).to_be_visible()
    click(tab, "wide-funnel", "[0,1")
    expect(tab.get_by_text("“73 minutes”").first).to_be_visible()
    expect(tab.get_by_text("held it", exact=False).first).to_be_visible()
