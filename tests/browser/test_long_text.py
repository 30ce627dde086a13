"""Thirty pages of text, pasted, planned and answered in each of the nine modes."""

import random
import re

import pytest
from playwright.sync_api import Page, expect

from synth.response_synthesizers.registry import MODES
from tests.browser.actions import choose_mode, look_at, paste, run_button, sentence, settled

PLACES = ("the north pier", "the old mill", "the reading room", "the tram depot", "the fish market")
PEOPLE = ("the keeper", "an engineer", "the council", "a night watchman", "the archivist")
DEEDS = (
    "wrote down the level of the water at noon",
    "had the pump taken apart and cleaned",
    "found that two of the three valves were stuck",
    "asked for a second lamp and was refused",
    "kept the key for eleven days without telling anybody",
    "compared the log with the one of the year before",
)
QUESTION = "What caused the flood?"
ASKING = set(MODES) - {"no_text", "context_only"}


def thirty_pages() -> str:
    """About 15,000 words of our own making, in paragraphs; one of them has the answer."""
    draw = random.Random(30)
    paragraphs = [
        " ".join(
            f"On day {draw.randint(1, 365)} {draw.choice(PEOPLE)} at {draw.choice(PLACES)}"
            f" {draw.choice(DEEDS)}."
            for _ in range(6)
        )
        for _ in range(140)
    ]
    paragraphs.insert(90, "The flood was caused by a sluice that had been left open on day 212.")
    return "\n\n".join(paragraphs)


@pytest.fixture(scope="module")
def text() -> str:
    text = thirty_pages()
    assert len(text.split()) > 14_000
    return text


def test_every_mode_answers_thirty_pages(page: Page, text: str):
    paste(page, text)
    question = page.get_by_role("textbox", name="Question")
    question.fill(QUESTION)
    question.press("Tab")
    for number, mode in enumerate(MODES):
        if number:
            settled(page)
            look_at(page, "Plan")  # with the inputs beside it
            settled(page)
        choose_mode(page, mode)
        expect(sentence(page, f"{mode} would make")).to_be_visible()
        run_button(page).click()
        made = sentence(page, re.compile(rf"^{mode} made (no|[\d,]+) calls?"))
        expect(made).to_be_visible()
        if mode in ASKING:
            look_at(page, "Calls")
            expect(page.locator(".prompt .s-query").first).to_have_text(QUESTION)
            expect(page.locator(".answer").first).not_to_be_empty()
