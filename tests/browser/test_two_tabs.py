"""Two tabs of one workspace."""

from playwright.sync_api import Page, expect

from tests.browser.actions import ask, run_button, sentence, settled

SAID = "Your press did nothing. Another tab has changed what was shown"


def test_run_starts_what_its_tab_shows_or_nothing(page: Page) -> None:
    settled(page)
    other = page.context.new_page()
    other.goto(page.url)
    run_button(other).wait_for()
    settled(other)
    ask(other, "Who was told of it first?")
    run_button(page).click()
    expect(page.get_by_text(SAID)).to_be_visible()
    expect(page.get_by_role("textbox", name="Question")).to_have_value("Who was told of it first?")
    run_button(other).click()
    sentence(other, "made").wait_for()
    run_button(page).click()
    expect(page.get_by_text(SAID)).to_be_visible()
    sentence(page, "made").wait_for()
    run_button(page).click()
    expect(page.get_by_text(SAID)).to_have_count(0)
    other.close()
