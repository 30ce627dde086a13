"""The Runs page as a person uses it: a trace is dropped, runs are ticked, compared, deleted."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import press, sentence, settled
from tests.browser.layout import fits_every_width
from tests.browser.test_axe import check
from tests.ui.store.recorded import WORKSPACE, leave, request_of

PICTURE = re.compile("data:image/svg")
SDK = Path(__file__).parents[1] / "traces" / "examples" / "sdk.jsonl"
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
    page.get_by_text("From the run “").wait_for()
