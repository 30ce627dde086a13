"""The judge as a person uses it: it is named, it judges, and a blind thumb is given beside it."""

import re

from playwright.sync_api import BrowserContext, expect

from tests.browser.actions import settled
from tests.browser.layout import faults
from tests.browser.test_axe import check
from tests.fake_openai import Answer, FakeOpenAI


def test_a_judge_is_named_and_judges_beside_a_blind_thumb(context: BrowserContext, app_url: str):
    page = context.new_page()
    page.goto(f"{app_url}/compare?w=new&compare_view=judge")
    page.get_by_role("button", name="Run all").click()
    expect(page.locator(".st-key-judge_head")).to_contain_text("Judging 4 answers takes")
    with FakeOpenAI(Answer('{"supported": false, "quote": "", "grade": "correct"}')) as server:
        for label, value in (
            ("Base URL", server.base_url),
            ("Model that judges", "m"),
            ("Reference answer to this question", "The pool was set to 8."),
        ):
            field = page.get_by_role("textbox", name=label)
            field.fill(value)
            field.press("Control+Enter")
            settled(page)
        assert not server.requests
        page.locator(".st-key-judge_button button:visible").last.click()
        expect(page.locator(".judged")).to_contain_text("correct")
    settled(page)
    page.get_by_text("Judge yourself, blind").click()
    page.locator(".st-key-two_blind button").first.click()
    # Columns whose answers are equal share one thumb, and the order differs at each visit.
    agreement = re.compile(r"You and the judge agree in (\d) of \1 cases?\.")
    expect(page.get_by_text(agreement)).to_be_visible()
    page.get_by_text("Prompts and replies of the judge").click()
    expect(page.get_by_text("Answer of call 1 ·")).to_be_visible()
    check(page)
    page.set_viewport_size({"width": 800, "height": 1000})
    settled(page)
    assert not faults(page, ".judged th", ".judged td", ".outcomes td")
    page.close()
