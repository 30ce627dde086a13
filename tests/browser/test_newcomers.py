"""A newcomer with chunks of their own: from the first screen to a fact that was lost, and back."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import ask, run_button, sentence, settled

SUBJECTS = ("latency", "queues", "retries", "pods", "dashboards")
NOTES = [
    f"Note {day}. The service handled {37 * day} requests, and the engineer on call wrote about"
    f" {SUBJECTS[day % len(SUBJECTS)]}, but not about what was changed on that day or why."
    for day in range(1, 20)
]
COST = "Costs. Lost revenue was 184,000 euros. The total is at most 265,790 euros."
CHUNKS = [*NOTES[:15], COST, *NOTES[15:]]


def test_own_chunks_lead_to_a_mode_its_price_and_the_lost_fact(page: Page):
    page.get_by_role("button", name="Use my own text").click()
    box = page.get_by_role("textbox", name="Text", exact=True)
    box.fill("\n\n".join(CHUNKS))
    box.press("Control+Enter")
    page.get_by_text("became 20 chunks").wait_for()
    ask(page, "Which note is about latency?")
    page.get_by_role("spinbutton", name="Context window").fill("700")
    page.keyboard.press("Enter")
    page.get_by_text("What would it cost?").click()
    models = page.get_by_role("combobox", name="Price as")
    models.fill("gpt-4o-mini")
    page.get_by_role("option", name="gpt-4o-mini", exact=True).first.click()
    settled(page)
    sentence(page, re.compile(r"compact would make .*\$0\.\d+")).wait_for()
    advice = page.get_by_text(re.compile(r"^Take \w+: .*\$0\.\d+"))
    advice.first.wait_for()
    run_button(page).click()
    expected = page.get_by_label("Should have been in the answer")
    expected.fill("265,790 euros")
    expected.press("Enter")
    lost = page.locator(".st-key-lost_fact")
    expect(lost).to_contain_text("“265,790 euros”")
    lost.get_by_role("button", name="Put it back").click()
    page.get_by_text("Branch 1").wait_for()
    page.get_by_text("“265,790 euros” is in the answer").wait_for()
