"""Compare as a person uses it: columns that fail, are the same, or go on; all modes."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import choose, settled
from tests.browser.layout import SIZES, at_usual_size, faults, fits_every_width
from tests.browser.test_axe import MAIN, check
from tests.fake_openai import Answer, FakeOpenAI, Silence


@pytest.fixture
def page(tab: Page, app_url: str) -> Page:
    tab.goto(f"{app_url}/compare?w=new")
    tab.get_by_role("button", name="Run all").wait_for()
    settled(tab)
    return tab


def seen(found: Locator) -> None:
    """Wait until it is there; runs of several columns take their time."""
    found.wait_for()


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def pick(page: Page, label: str, number: int, option: str) -> None:
    """Choose in the nth of the selectboxes with this label."""
    main = page.get_by_test_id("stMain")
    main.get_by_role("combobox", name=label, exact=True).nth(number).click()
    page.get_by_role("option", name=option, exact=True).click()
    settled(page)


def fill(page: Page, label: str, text: str) -> None:
    field = page.get_by_test_id("stMain").get_by_role("textbox", name=label)
    field.fill(text)
    field.press("Enter")
    settled(page)


def use_endpoint(page: Page, number: int, server: FakeOpenAI) -> None:
    """Let the nth column ask this endpoint."""
    pick(page, "Model", number, "OpenAI-compatible endpoint")
    fill(page, "Base URL", server.base_url)
    fill(page, "Model name", "m")


def test_a_refresh_finds_runs_that_go_on_and_stop_keeps_what_arrived(page: Page):
    with FakeOpenAI(Answer("the first answer"), Silence()) as server:
        button(page, "Edit columns").click()
        use_endpoint(page, 1, server)
        button(page, "Done").click()
        settled(page)
        button(page, "Run all").click()
        seen(page.get_by_text("1 of 12 calls"))
        page.reload()
        seen(page.get_by_text("1 of 12 calls"))
        seen(page.get_by_text("the first answer"))
        page.get_by_role("link", name="Playground").click()
        seen(page.get_by_role("textbox", name="Question"))
        page.get_by_role("link", name="Compare").click()
        seen(page.get_by_text("1 of 12 calls"))
        button(page, "Stop").click()
        seen(page.get_by_text("You stopped this column."))
        seen(page.get_by_text("1 answer was kept."))
        seen(page.locator(".st-key-answers").get_by_text("79 words"))


def test_it_fits_before_and_after_a_run_with_answers_below_their_columns(page: Page):
    check(page)
    page.keyboard.press("Control+Enter")
    seen(button(page, "Run again"))
    check(page, MAIN)
    fits_every_width(page)
    answers_stand_below_their_columns(page)
    button(page, "Edit").first.click()
    check(page, MAIN)
    button(page, "Done").click()
    each_point_of_the_chart_has_the_letter_of_its_column(page)


def answers_stand_below_their_columns(page: Page):
    heads, answers = (
        page.locator(f".st-key-{key} [data-testid=stColumn]").evaluate_all(
            "(columns, word) => columns.map(column => [column.innerText.split(/\\s+/)[word],"
            " Math.round(column.getBoundingClientRect().left)])",
            word,
        )
        for key, word in (("compared", 1), ("answers", 0))  # a head has its letter first
    )
    assert answers == heads


def each_point_of_the_chart_has_the_letter_of_its_column(page: Page):
    settled(page)
    choose(page, "Chart")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        letters = page.locator(".st-key-chart .textpoint text")
        expect(letters.first).to_be_visible()
        drawn = ", ".join(letters.all_text_contents())
        assert sorted(drawn.split(", ")) == list("ABCD")
        assert not faults(page, ".st-key-chart .textpoint text")
    at_usual_size(page)
    check(page, MAIN)
