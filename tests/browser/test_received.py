"""On the machine of its user: what an application sends stands on Runs; and a real model."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from benchmarks.served import served
from synth.llms.on_this_machine import model_file
from tests.browser.actions import (
    choose,
    close_menu,
    open_model,
    press,
    run_button,
    sentence,
    settled,
)
from tests.browser.test_axe import MAIN, check

MINUTES = 300_000  # milliseconds: two cores that have much else to do


@pytest.fixture(scope="module")
def app_url() -> Iterator[str]:
    """A server on the machine of its user, who alone may send to it."""
    with served("server.py", own_machine=True) as app:
        yield app.url


def run_an_application(url: str) -> None:
    """Run an application that sends its spans there."""
    variables = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": url,
        "OTEL_BSP_SCHEDULE_DELAY": "200",
        "OTEL_SERVICE_NAME": "support-bot",
    }
    command = [sys.executable, "-m", "tests.traces.sending", "compact", "What caused the outage?"]
    subprocess.run(command, env=os.environ | variables, check=True)


def test_what_an_application_sends_is_a_row_on_runs_and_opens_in_the_picture(
    tab: Page, app_url: str
):
    tab.goto(f"{app_url}/runs?w=new")
    press(tab, "Connect an application")
    tab.get_by_text("OTEL_EXPORTER_OTLP_ENDPOINT").first.wait_for()
    check(tab, MAIN)
    run_an_application(app_url)
    tab.reload()
    row = tab.locator(".run-list tbody tr")
    expect(row).to_contain_text("verified: the same 3 prompts")
    settled(tab)
    row.locator(".opens").click()
    sentence(tab, "compact made 3 calls").wait_for()
    expect(tab.locator(".st-key-picture .scene")).to_be_visible()


@pytest.mark.skipif(model_file() is None, reason="`make tiny` was not run")
def test_a_real_model_is_chosen_loads_reads_answers_and_is_counted(tab: Page, app_url: str):
    tab.goto(f"{app_url}/?w=new&window=600&num_output=16&top_k=1&selection=top")
    settled(tab)
    open_model(tab)
    choose(tab, "This machine")
    expect(tab.get_by_text("tokens, from the server")).to_be_visible(timeout=MINUTES)
    close_menu(tab)
    run_button(tab).click()
    expect(sentence(tab, re.compile("compact made 1 call"))).to_be_visible(timeout=MINUTES)
    expect(tab.locator(".tagged")).to_contain_text(re.compile(r"\w+"))
