"""The judge as a person uses it: it is named, it judges, and a blind thumb is given beside it."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import settled
from tests.browser.layout import cut, faults
from tests.browser.test_axe import MAIN, check
from tests.fake_openai import Answer, FakeOpenAI


def test_a_judge_is_named_and_judges_beside_a_blind_thumb(tab: Page, app_url: str):
    tab.goto(f"{app_url}/compare?w=new&compare_view=judge")
    tab.get_by_role("button", name="Run all").click()
    expect(tab.locator(".st-key-judge_head")).to_contain_text("Judging 4 answers takes")
    with FakeOpenAI(Answer('{"supported": false, "quote": "", "grade": "correct"}')) as server:
        for label, value in (
            ("Base URL", server.base_url),
            ("Model name", "m"),
            ("Reference answer to this question", "The pool was set to 8."),
        ):
            if label.startswith("Reference"):
                tab.get_by_text("Facts and reference answer of this question").click()
            field = tab.get_by_role("textbox", name=label)
            field.fill(value)
            field.press("Control+Enter")
            settled(tab)
        assert not server.requests
        tab.locator(".st-key-judge_button button:visible").last.click()
        expect(tab.locator(".judged")).to_contain_text("correct")
    settled(tab)
    tab.get_by_text("Judge yourself, blind").click()
    settled(tab)
    tab.locator(".st-key-two_blind button").first.click()
    # Columns whose answers are equal share one thumb, and the order differs at each visit.
    agreement = re.compile(r"You and the judge agree in (\d) of \1 cases?\.")
    tab.get_by_text(agreement).wait_for()
    tab.get_by_text("Prompts and replies of the judge").click()
    tab.get_by_text("Answer of call 1 ·").wait_for()
    check(tab, MAIN)
    tab.set_viewport_size({"width": 800, "height": 1000})
    settled(tab)
    assert not faults(tab, ".judged th", ".judged td", ".outcomes td")
    tab.set_viewport_size({"width": 390, "height": 844})
    settled(tab)
    assert not cut(tab, ".outcomes td")  # a verdict over the first letters of its claim
    assert not faults(tab, "[data-testid=stButtonGroup] button")
