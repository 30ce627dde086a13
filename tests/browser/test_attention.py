"""The focus stays in the page when what had it is replaced, and what changed is said aloud."""

from playwright.sync_api import Page, expect

from tests.browser.actions import run_button, settled

REGION = "announcements"  # the id of the element that is said aloud


def focus(page: Page) -> str:
    """The words of the element that has the focus; "" if it is lost."""
    return page.evaluate(
        "document.activeElement === document.body ? '' : document.activeElement.innerText"
    )


def test_after_run_by_keyboard_the_focus_is_at_the_result_which_is_said(page: Page):
    settled(page)
    run_button(page).press("Enter")
    expect(page.locator(f"#{REGION}")).to_contain_text("compact made 2 calls")
    settled(page)
    assert focus(page).startswith("compact made 2 calls")
    page.keyboard.press("Tab")
    assert focus(page)


def test_after_the_shortcut_in_a_field_too(page: Page):
    settled(page)
    page.locator("body").press("Control+Enter")
    expect(page.locator(f"#{REGION}")).to_contain_text("compact made 2 calls")


def test_an_edit_says_the_new_plan_and_leaves_the_focus(page: Page):
    settled(page)
    field = page.get_by_role("spinbutton", name="Context window")
    field.fill("700")
    field.press("Enter")
    expect(page.locator(f"#{REGION}")).to_contain_text("would make")
    settled(page)
    expect(field).to_be_focused()
