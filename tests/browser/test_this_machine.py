"""A real language model on this machine, on the Playground."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.served import served
from synth.llms.on_this_machine import model_file
from tests.browser.actions import run_button, sentence

pytestmark = pytest.mark.skipif(model_file() is None, reason="`make tiny` was not run")
MINUTES = 300_000  # milliseconds: two cores that have much else to do


@pytest.fixture(scope="module")
def at_home(browser: Browser) -> Iterator[Page]:
    """The Playground of whoever started the app."""
    with served("server.py", own_machine=True) as app:
        page = browser.new_page()
        page.goto(f"{app.url}/?window=600&num_output=16&top_k=1&selection=top")
        yield page
        page.close()


def test_it_is_chosen_loads_reads_answers_and_is_counted(at_home: Page):
    at_home.get_by_role("combobox", name="Model").click()
    at_home.get_by_role("option", name="SmolLM2, 135M, on this machine").click()
    expect(at_home.get_by_text("tokens, from the server")).to_be_visible(timeout=MINUTES)
    run_button(at_home).click()
    expect(sentence(at_home, re.compile("compact made 1 call"))).to_be_visible(timeout=MINUTES)
    expect(at_home.locator(".tagged")).to_contain_text(re.compile(r"\w+"))
