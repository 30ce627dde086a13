"""Three newcomers, each from the first screen to what they came for, in what they see alone.

An engineer with chunks of their own, a teacher with a class, somebody who chooses a mode.
"""

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
    expect(page.get_by_text("became 20 chunks")).to_be_visible()
    ask(page, "Which note is about latency?")
    page.get_by_role("spinbutton", name="Context window").fill("700")
    page.keyboard.press("Enter")
    page.get_by_text("What would it cost?").click()
    models = page.get_by_role("combobox", name="Price as")
    models.fill("gpt-4o-mini")
    page.get_by_role("option", name="gpt-4o-mini", exact=True).first.click()
    settled(page)
    expect(sentence(page, re.compile(r"compact would make .*\$0\.\d+"))).to_be_visible()
    advice = page.get_by_text(re.compile(r"^Take \w+: .*\$0\.\d+"))
    expect(advice.first).to_be_visible()
    run_button(page).click()
    expected = page.get_by_label("Should have been in the answer")
    expected.fill("265,790 euros")
    expected.press("Enter")
    lost = page.locator(".st-key-lost_fact")
    expect(lost).to_contain_text("“265,790 euros”")
    lost.get_by_role("button", name="Put it back").click()
    expect(page.get_by_text("Branch 1")).to_be_visible()
    expect(page.get_by_text("“265,790 euros” is in the answer")).to_be_visible()


def test_a_teacher_leads_a_class_from_a_prediction_to_its_reason(page: Page):
    page.get_by_role("button", name="4-minute lesson").click()
    expect(page.get_by_role("heading", name="Why a budget")).to_be_visible()
    page.get_by_role("radio", name="402", exact=True).click()
    page.get_by_role("button", name="That is my answer").click()
    stage = page.get_by_role("radiogroup", name="Stage")
    stage.get_by_role("radio", name="Reveal").click()
    expect(page.get_by_text("You said 402")).to_be_visible()
    page.get_by_role("button", name="Teacher's link").click()
    link = page.get_by_test_id("stCode").inner_text().strip().replace("\n", "")
    page.goto(link)
    expect(page.get_by_text("How many are left for chunks?").first).to_be_visible()


def test_modes_are_compared_by_what_their_answers_hold(page: Page):
    page.get_by_role("link", name="Compare", exact=True).click()
    page.get_by_role("button", name="Run all").click()
    held = "A, B and C hold 3 of 3 facts that must arrive, D none"
    evidence = page.locator(".evidence", has_text=held)  # that of fewer runs may still be there
    expect(evidence).to_be_visible()
    expect(evidence).to_contain_text("1 question can't tell them apart")
    expect(evidence).to_contain_text("rests on 4 runs")
    expect(page.locator(".lede")).to_contain_text("simple_summarize misses chunks 9 and 10")
