"""The focus stays in the page when what had it is replaced, and what changed is said aloud."""

from playwright.sync_api import Page, expect

from tests.browser.actions import open_panel, run_button, settled

REGION = "announcements"  # the id of the element that is said aloud


def focus(page: Page) -> str:
    """The words of the element that has the focus; "" if it is lost."""
    return page.evaluate(
        "document.activeElement === document.body ? '' : document.activeElement.innerText"
    )


def window(page: Page, value: str):
    field = page.get_by_role("spinbutton", name="Context window")
    field.fill(value)
    field.press("Enter")
    return field


def test_what_changed_is_said_and_the_focus_stays_or_goes_to_it(page: Page):
    said = page.locator(f"#{REGION}")
    open_panel(page, "Limits")
    page.evaluate("document.activeElement.blur()")
    field = window(page, "700")
    expect(said).to_contain_text("would make")
    settled(page)
    expect(field).to_be_focused()  # an edit leaves it
    run_button(page).press("Enter")
    expect(said).to_contain_text("compact made 4 calls")
    settled(page)
    assert focus(page).startswith("compact made 4 calls")
    page.keyboard.press("Tab")
    assert focus(page)
    window(page, "1024")
    expect(said).to_contain_text("would make")
    settled(page)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+Enter")
    expect(said).to_contain_text("compact made 2 calls")
