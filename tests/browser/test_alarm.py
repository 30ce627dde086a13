"""A server that reads less than it was sent: the alarm, its picture, and the way out."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import look_at, run_button, settled, use_endpoint
from tests.fake_openai import FakeOpenAI, Reader


def test_the_alarm_leads_to_a_plan_for_the_window_that_is(tab: Page, app_url: str):
    with FakeOpenAI(Reader(1_024)) as server:
        use_endpoint(tab, app_url, server, "compact", context_window=4096)
        run_button(tab).click()
        alarm = tab.locator(".alarm")
        expect(alarm).to_contain_text(re.compile("Your server read 1,024 of about .* tokens sent"))
        expect(tab.get_by_text("Nothing was cut off")).to_have_count(0)
        tab.locator(".k-unread").first.wait_for()
        look_at(tab, "Coverage")
        tab.locator(".figure .k-unread").first.wait_for()
        look_at(tab, "Answer")
        tab.get_by_role("button", name="Set the window to 1,024").click()
        settled(tab)
        expect(tab.get_by_role("spinbutton", name="Context window")).to_have_value("1024")
