"""The Runs page as a person uses it: ticks in the table, the way to the Playground and back."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import choose_mode, run_button, sentence, settled
from tests.browser.layout import SIZES, at_usual_size, cut, faults, fits_across
from tests.browser.test_axe import check

_BOX, _HEAD, _ROW = 17, 33, 29  # pixels of the table: a tick's place, its head, a row


def tick(page: Page, table: Locator, row: int):
    table.click(position={"x": _BOX, "y": _HEAD + _ROW * row + _ROW // 2})
    settled(page)


def nothing_overlaps_or_is_cut(page: Page):
    main = (
        ".st-key-menu",
        ".st-key-lead",
        ".st-key-runs_filters",
        ".st-key-runs_charts",
        ".st-key-two_runs [data-testid=stDataFrame]",
        ".st-key-runs_pages",
        ".st-key-run_detail",
    )
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        assert faults(page, *main) == [], width
        assert cut(page, ".st-key-menu a", ".st-key-run_ways button p") == [], width
        assert fits_across(page), width
    at_usual_size(page)


def test_runs_fit_every_size_are_ticked_compared_and_opened(page: Page):
    run_button(page).click()
    sentence(page, "compact made 2 calls").wait_for()
    page.get_by_role("button", name="Inputs").click()
    choose_mode(page, "refine")
    sentence(page, "refine would make 12 calls").wait_for()
    settled(page)
    run_button(page).click()
    sentence(page, "refine made 12 calls").wait_for()
    page.get_by_role("link", name="Runs", exact=True).click()
    table = page.get_by_test_id("stDataFrame")
    table.wait_for()
    settled(page)
    head = page.locator(".st-key-run_detail .lede")
    expect(head).to_contain_text("refine made 12 calls")
    check(page)
    nothing_overlaps_or_is_cut(page)
    tick(page, table, 0)
    page.get_by_text("Tick a run to see it").wait_for()
    tick(page, table, 1)
    expect(head).to_contain_text("compact made 2 calls")
    tick(page, table, 0)
    page.get_by_role("button", name="Compare the two").click()
    page.get_by_text("B made 12 calls instead of 2").wait_for()
    check(page)
    page.get_by_role("button", name="All runs").click()
    page.get_by_text("2 runs are ticked.").wait_for()
    tick(page, page.get_by_test_id("stDataFrame"), 0)
    page.locator(".st-key-open_saved button").click()
    sentence(page, "compact made 2 calls").wait_for()
    page.get_by_text("From the run “").wait_for()
    page.get_by_role("link", name="Back to the run").click()
    page.get_by_text(" shown.").wait_for()
