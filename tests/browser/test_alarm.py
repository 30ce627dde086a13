"""A server that reads less than it was sent: the alarm, its picture, and the way out."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import look_at, run_button, settled, use_endpoint
from tests.fake_openai import FakeOpenAI, Reader


def test_the_alarm_leads_to_a_plan_for_the_window_that_is(page: Page):
    with FakeOpenAI(Reader(1_024)) as server:
        use_endpoint(page, server)
        page.locator(".st-key-mode-compact button").click()
        window = page.get_by_role("spinbutton", name="Context window")
        window.fill("4096")
        window.press("Enter")
        settled(page)
        run_button(page).click()
        alarm = page.locator(".alarm")
        expect(alarm).to_contain_text(re.compile("Your server read 1,024 of about .* tokens sent"))
        expect(page.get_by_text("Nothing was cut off")).to_have_count(0)
        expect(page.locator(".k-unread").first).to_be_visible()
        look_at(page, "Coverage")
        expect(page.locator(".figure .k-unread").first).to_be_visible()
        look_at(page, "Answer")
        page.get_by_role("button", name="Set the window to 1,024").click()
        settled(page)
        expect(window).to_have_value("1024")
