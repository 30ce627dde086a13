"""Compare as a person sees it: at every width, before and after a run, and its chart."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import choose, press, settled
from tests.browser.layout import SIZES, at_usual_size, faults, fits_every_width
from tests.browser.test_axe import MAIN, check


@pytest.fixture
def page(tab: Page, app_url: str) -> Page:
    tab.goto(f"{app_url}/compare?w=new")
    tab.get_by_role("button", name="Run all").wait_for()
    settled(tab)
    return tab


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def test_it_fits_before_and_after_a_run_with_answers_below_their_columns(page: Page):
    check(page)
    page.keyboard.press("Control+Enter")
    button(page, "Run again").wait_for()
    check(page, MAIN)
    fits_every_width(page)
    answers_stand_below_their_columns(page)
    press(page, "1 question")
    page.get_by_role("button", name="Ask 20 questions").wait_for()
    check(page)
    page.keyboard.press("Escape")
    all_modes_are_rows(page)
    each_point_of_the_chart_has_the_letter_of_its_column(page)


def answers_stand_below_their_columns(page: Page):
    heads, answers = (
        page.locator(f".st-key-{key} [data-testid=stColumn]").evaluate_all(
            "columns => columns.map(column => [column.innerText.split(/\\s+/)[0],"
            " Math.round(column.getBoundingClientRect().left)])",
        )
        for key in ("two_compared", "two_answers")
    )
    assert answers == heads


def all_modes_are_rows(page: Page):
    press(page, "4 modes")
    page.get_by_text("All modes").click()
    press(page, "Make 9 columns")
    page.keyboard.press("Escape")
    press(page, "Run the other")
    button(page, "Run again").wait_for()
    fits_every_width(page)
    check(page, MAIN)


def each_point_of_the_chart_has_the_letter_of_its_column(page: Page):
    choose(page, "Chart")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        letters = page.locator(".st-key-chart .textpoint text")
        expect(letters.first).to_be_visible()
        drawn = " ".join(letters.all_text_contents())
        assert sorted(drawn.split()) == list("ABCDEFGHI")
        assert not faults(page, ".st-key-chart .textpoint text")
    at_usual_size(page)
    check(page, MAIN)
