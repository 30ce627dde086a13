"""A real language model on this machine, on the Playground."""

import re

import pytest
from playwright.sync_api import Page, expect

from benchmarks.served import served
from synth.llms.on_this_machine import model_file
from tests.browser.actions import run_button, sentence

pytestmark = pytest.mark.skipif(model_file() is None, reason="`make tiny` was not run")
MINUTES = 300_000  # milliseconds: two cores that have much else to do


def test_it_is_chosen_loads_reads_answers_and_is_counted(tab: Page):
    with served("server.py", own_machine=True) as app:
        tab.goto(f"{app.url}/?window=600&num_output=16&top_k=1&selection=top")
        tab.get_by_role("combobox", name="Model").click()
        tab.get_by_role("option", name="SmolLM2, 135M, on this machine").click()
        expect(tab.get_by_text("tokens, from the server")).to_be_visible(timeout=MINUTES)
        run_button(tab).click()
        expect(sentence(tab, re.compile("compact made 1 call"))).to_be_visible(timeout=MINUTES)
        expect(tab.locator(".tagged")).to_contain_text(re.compile(r"\w+"))
