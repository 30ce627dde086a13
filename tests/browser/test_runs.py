"""The Runs page as a person uses it: what is dropped, ticked, compared, and what was sent to it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from benchmarks.served import served
from synth.llms.on_this_machine import model_file
from tests.browser.actions import (
    choose,
    close_menu,
    link,
    open_model,
    press,
    run_button,
    sentence,
    settled,
)
from tests.browser.layout import fits_every_width
from tests.browser.test_axe import MAIN, check
from tests.ui.store.recorded import WORKSPACE, leave, request_of

PICTURE = re.compile("data:image/svg")
SDK = Path(__file__).parents[1] / "traces" / "recorded.jsonl"
MAIN_PARTS = (
    ".st-key-menu",
    ".st-key-runs_head",
    ".st-key-runs_ways",
    ".st-key-runs_filters",
    ".st-key-run_actions",
    ".run-list",
)


@pytest.fixture
def page(tab: Page, app_url: str, app_database: Path) -> Page:
    leave(app_database, request_of("compact"), request_of("refine"))
    tab.goto(f"{app_url}/runs?w={quote(WORKSPACE)}")
    return tab


def tick(page: Page, words: str):
    """Tick the run whose row has these words, by keyboard."""
    settled(page)
    box = page.locator(".run-list tr", has_text=words).get_by_role("checkbox")
    box.press("Space")
    expect(box).to_be_checked()
    settled(page)


def test_a_trace_is_dropped_and_runs_are_compared_deleted_restored_and_opened(page: Page):
    rows = page.locator(".run-list tbody tr")
    expect(rows).to_have_count(2)
    settled(page)
    page.locator(".st-key-drop_trace input[type=file]").set_input_files(SDK)
    expect(rows).to_have_count(1)  # what was in it
    page.get_by_role("radio", name="All", exact=True).click()
    expect(rows).to_have_count(3)
    expect(page.locator(".run-list")).to_contain_text("verified: the same 2 prompts")
    expect(page.locator(".run-list .sign").last).to_have_css("background-image", PICTURE)
    tick(page, "compact")
    check(page)
    fits_every_width(page, MAIN_PARTS, (".st-key-menu a", ".run-list .opens"))
    tick(page, "refine")
    press(page, "Open in Compare")
    expect(page.get_by_text("refine", exact=True).first).to_be_visible()
    page.get_by_role("link", name="Runs", exact=True).click()
    expect(rows).to_have_count(3)
    press(page, "Delete", exact=True)
    expect(rows).to_have_count(1)
    press(page, "Undo")
    expect(rows).to_have_count(3)
    settled(page)
    rows.filter(has_text="compact").locator(".opens").click()
    sentence(page, "compact made 2 calls").wait_for()
    page.get_by_role("button", name="Undo the run “").wait_for()


MINUTES = 300_000  # milliseconds: two cores that have much else to do


@pytest.fixture(scope="module")
def own_url() -> Iterator[str]:
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
    tab: Page, own_url: str
):
    tab.goto(f"{own_url}/runs?w=new")
    press(tab, "Connect an application")
    tab.get_by_text("OTEL_EXPORTER_OTLP_ENDPOINT").first.wait_for()
    check(tab, MAIN)
    run_an_application(own_url)
    tab.reload()
    row = tab.locator(".run-list tbody tr")
    expect(row).to_contain_text("verified: the same 3 prompts")
    settled(tab)
    row.locator(".opens").click()
    sentence(tab, "compact made 3 calls").wait_for()
    expect(tab.locator(".st-key-picture .scene")).to_be_visible()


@pytest.mark.skipif(model_file() is None, reason="`make tiny` was not run")
def test_a_real_model_is_chosen_loads_reads_answers_and_is_counted(tab: Page, own_url: str):
    tab.goto(link(own_url, context_window=600, num_output=16, similarity_top_k=1, selection="top"))
    settled(tab)
    open_model(tab)
    choose(tab, "This machine")
    expect(tab.get_by_text("tokens, from the server")).to_be_visible(timeout=MINUTES)
    close_menu(tab)
    run_button(tab).click()
    expect(sentence(tab, re.compile("compact made 1 call"))).to_be_visible(timeout=MINUTES)
    expect(tab.locator(".tagged")).to_contain_text(re.compile(r"\w+"))
