"""The Runs page as a person uses it: ticks in the table, the way to the Playground and back."""

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import sentence, settled
from tests.browser.layout import fits_every_width
from tests.browser.test_axe import MAIN, check
from tests.ui.store.recorded import WORKSPACE, leave, request_of

_BOX, _HEAD, _ROW = 17, 33, 29  # pixels of the table: a tick's place, its head, a row


def tick(page: Page, table: Locator, row: int):
    settled(page)
    table.click(position={"x": _BOX, "y": _HEAD + _ROW * row + _ROW // 2})
    settled(page)


MAIN_PARTS = (
    ".st-key-menu",
    ".st-key-lead",
    ".st-key-runs_filters",
    ".st-key-two_runs [data-testid=stDataFrame]",
    ".st-key-runs_pages",
    ".st-key-run_detail",
)


@pytest.fixture
def page(tab: Page, app_url: str, app_database: Path) -> Page:
    leave(app_database, request_of("compact"), request_of("refine"))
    tab.goto(f"{app_url}/runs?w={quote(WORKSPACE)}")
    return tab


def test_runs_fit_every_size_are_ticked_compared_and_opened(page: Page):
    table = page.get_by_test_id("stDataFrame")
    table.wait_for()
    settled(page)
    head = page.locator(".st-key-run_detail .lede")
    expect(head).to_contain_text("refine made 9 calls")
    check(page)
    fits_every_width(page, MAIN_PARTS, (".st-key-menu a", ".st-key-run_ways button p"))
    tick(page, table, 0)
    page.get_by_text("Tick a run to see it").wait_for()
    tick(page, table, 1)
    expect(head).to_contain_text("compact made 2 calls")
    tick(page, table, 0)
    page.get_by_text("2 runs are ticked.").wait_for()
    check(page, MAIN)
    tick(page, table, 0)
    page.locator(".st-key-open_saved button").click()
    sentence(page, "compact made 2 calls").wait_for()
    page.get_by_text("From the run “").wait_for()
    settled(page)
    page.get_by_role("link", name="Back to the run").click()
    page.get_by_text(" shown.").wait_for()
