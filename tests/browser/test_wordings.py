"""The road of a prompt engineer: wordings compared, judged with the keys, and handed on."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page

from tests.browser.actions import settled, use_endpoint
from tests.browser.layout import cut
from tests.browser.test_axe import MAIN, check
from tests.fake_openai import FakeOpenAI, Reader

QUESTIONS = [f"What became of pool {number}?" for number in range(10)]
NONE_IS_RIGHT = range(7, 10)  # positions of questions
SHORT, CHILDLIKE = "Be short.", "Tell it to a child."
NOTE = "Neither says why."


def answer(prompt: str) -> str:
    """Answer in the tone that the wording asks for, so that each column has its own."""
    number = re.findall(r"pool (\d)", prompt)[-1]
    if SHORT in prompt:
        return f"Shut, {number}."
    if CHILDLIKE in prompt:
        return f"Once upon a time pool {number} was shut."
    return f"Pool {number} was shut down at some time."


class Engineer:
    """A person at the page, whose clicks, texts and keys are counted."""

    def __init__(self, page: Page):
        self.page, self.actions = page, 0

    def press(self, place: Locator) -> None:
        self.actions += 1
        settled(self.page)
        place.click()

    def press_button(self, name: str, *, exact: bool = False) -> None:
        self.press(self.page.get_by_role("button", name=name, exact=exact))

    def fill(self, label: str, text: str) -> None:
        self.actions += 1
        settled(self.page)
        self.page.get_by_role("textbox", name=label, exact=True).fill(text)

    def hit(self, key: str) -> None:
        self.actions += 1
        settled(self.page)
        self.page.keyboard.press(key)


def test_three_wordings_over_ten_questions_are_judged_and_reported(tab: Page, app_url: str):
    with FakeOpenAI(Reader(100_000, answer)) as server:
        use_endpoint(tab, app_url, server, mode="simple_summarize")
        tab.get_by_role("link", name="Compare").click()
        tab.get_by_role("button", name="Run all").wait_for()
        engineer = Engineer(tab)
        make_wordings(engineer)
        engineer.press_button("1 question")
        engineer.fill("A list of questions, one per line", "\n".join(QUESTIONS))
        engineer.press_button("Run all")
        tab.get_by_role("button", name="Run again").wait_for()
    engineer.press(tab.get_by_role("radio", name="Questions"))
    judge_all(engineer)
    report = export_report(engineer)
    assert engineer.actions <= 30
    holds_all(report)
    questions_fit(tab)


def make_wordings(engineer: Engineer) -> None:
    engineer.press_button("4 modes")
    engineer.press(engineer.page.get_by_text("Wordings", exact=True))
    present = engineer.page.get_by_role("textbox", name="A", exact=True)
    present.wait_for()
    engineer.fill("B", f"{present.input_value()} {SHORT}")
    engineer.fill("C", f"{present.input_value()} {CHILDLIKE}")
    engineer.press_button("Make")
    engineer.page.get_by_role("button", name="3 wordings").wait_for()


def judge_all(engineer: Engineer) -> None:
    """Say of each question which answer is right; 0 for none goes on by itself."""
    deck = engineer.page.locator(".st-key-deck")
    for position in range(len(QUESTIONS)):
        deck.get_by_text(f"Question {position + 1}", exact=True).wait_for()
        deck.get_by_text(f"{position} of 10 judged").wait_for()
        if position in NONE_IS_RIGHT:
            engineer.hit("0")
            continue
        settled(engineer.page)
        answers = deck.locator(".answer").all_text_contents()
        engineer.hit(str(1 + answers.index(f"Shut, {position}.")))
        deck.get_by_text(f"{position + 1} of 10 judged").wait_for()
        engineer.hit("Enter")
    deck.get_by_text("10 of 10 judged").wait_for()


def export_report(engineer: Engineer) -> str:
    deck = engineer.page.locator(".st-key-deck")
    engineer.press(deck.get_by_role("button", name="Note").first)
    engineer.fill("Note on this answer", NOTE)
    engineer.press_button("Share", exact=True)
    with engineer.page.expect_download() as download:
        engineer.press_button("Report", exact=True)
    return Path(download.value.path()).read_text("utf-8")


def holds_all(report: str) -> None:
    text = re.sub("<[^>]*>", "", report)
    for position, question in enumerate(QUESTIONS):
        assert f"{position + 1} · {question}" in text
        assert f"Shut, {position}." in text
    assert "B is ahead. A and C pass 7 and 7 fewer than B." in text
    assert "By thumbs. A 0 of 10 · B 7 of 10 · C 0 of 10 pass." in text
    assert text.count("answered, right") == 2 * 7  # in the table, and at the answer
    assert f"Note: {NOTE}" in text
    for wording in (SHORT, CHILDLIKE):
        assert re.search(f"<ins[^>]*>[^<]*{re.escape(wording)}", report)
    assert report.count("<svg") >= 3


def questions_fit(page: Page) -> None:
    page.keyboard.press("Escape")
    check(page, MAIN)
    for width, height in ((1440, 900), (800, 1000), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        assert not cut(page, "[data-testid=stMain]", ".questions thead th")
