"""Ctrl+Enter in a text field of any kind takes what was typed, and runs nothing."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import ask, look_at, run_button, sentence, settled, use_endpoint
from tests.fake_openai import Answer, FakeOpenAI

_OF_THE_MODEL = ("Base URL", "Model name", "API key")  # with another value no server would answer


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(Answer("an answer")) as server:
        yield server


def field_named(page: Page, name: str) -> Locator:
    return page.locator(f'input[aria-label="{name}"], textarea[aria-label="{name}"]').locator(
        "visible=true"
    )


def edited(field: Locator) -> str:
    """Another value for the field, like its present one."""
    value = field.input_value()
    if field.get_attribute("type") == "number" or field.get_attribute("role") == "spinbutton":
        return str(int(float(value or 0)) + 1)
    return f"{value} more"


def press_in(page: Page, *names: str) -> None:
    """Edit each of these text fields, press Ctrl+Enter in it, and look that this was taken."""
    settled(page)
    for name in names:
        field = field_named(page, name).first
        before = field.input_value()
        wanted = before if name in _OF_THE_MODEL else edited(field)
        field.fill(wanted)
        field.press("Control+Enter")
        field.press("Control+Enter")  # with nothing left to take
        settled(page)
        expect(field, name).to_have_value(re.compile(f"^{re.escape(wanted)}"))
        expect(page.get_by_text("Press Ctrl+Enter to apply")).to_have_count(0)
        if not before:  # a limit that was not set may leave nothing to run
            enter(page, field, before)


def enter(page: Page, field: Locator, value: str) -> None:
    field.fill(value)
    field.press("Control+Enter")
    settled(page)


def test_in_the_fields_of_the_playground(page: Page, server: FakeOpenAI):
    use_endpoint(page, server)
    page.get_by_text("More limits").click()
    page.locator(".st-key-templates summary").click()
    page.get_by_text("As a chat").click()
    page.get_by_test_id("stDataFrame").click(position={"x": 16, "y": 44})
    page.get_by_role("textbox", name="Text of the chunk").wait_for()
    press_in(
        page,
        *("Question", "Text of the chunk", "System message", "Text of the template"),
        *("Context window", "Model name"),
    )
    assert "window=1025" in page.url
    page.get_by_role("button", name="Template sets").click()
    press_in(page, "Save the templates as")
    page.keyboard.press("Escape")
    expect(run_button(page)).to_be_enabled()
    assert not server.requests
    page.reload()
    expect(field_named(page, "Question")).to_have_value(re.compile("fixed. more"))
    expect(field_named(page, "Context window")).to_have_value("1025")


def test_in_the_popover_for_own_text(page: Page, server: FakeOpenAI):
    use_endpoint(page, server)
    page.get_by_role("button", name="Own text", exact=True).click()
    for way, names in (
        ("Custom separator", ["Separator"]),
        ("Split by tokens", ["Tokens per chunk", "Overlap, in tokens"]),
    ):
        page.get_by_role("dialog").get_by_text(way).click()
        settled(page)
        for name in names:
            field = field_named(page, name)
            enter(page, field, "7")
            expect(field).to_have_value("7")
    page.keyboard.press("Escape")
    assert not server.requests


def test_in_the_fields_of_a_result(page: Page, server: FakeOpenAI):
    use_endpoint(page, server)
    run_button(page).click()
    expect(sentence(page, "refine made 12 calls")).to_be_visible()
    look_at(page, "Coverage")
    press_in(page, "Chunk to read")
    look_at(page, "Steps")
    page.get_by_role("button", name="Edit and go on").click()
    press_in(page, "New answer")
    expect(page.get_by_text("edited by hand")).to_have_count(0)
    press_in(page, "Context window")
    expect(page.get_by_text("Last answer is out of date")).to_be_visible()
    assert len(server.requests) == 12


def test_in_the_fields_of_compare_and_what_if(page: Page, server: FakeOpenAI):
    use_endpoint(page, server)
    page.get_by_role("link", name="Compare").click()
    page.get_by_role("button", name="Run all").wait_for()
    page.get_by_role("button", name="Edit").first.click()
    page.get_by_role("textbox", name="Or a list of questions").wait_for()
    press_in(page, "Or a list of questions, one per line", "Repeats", "Context window")
    page.get_by_role("link", name="What if").click()
    page.get_by_text("window").first.wait_for()
    press_in(page, "Context window")
    assert not server.requests


def test_outside_of_text_fields_it_runs(page: Page, server: FakeOpenAI):
    use_endpoint(page, server)
    ask(page, "Who was told?")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+Enter")
    expect(sentence(page, "refine made 12 calls")).to_be_visible()
    assert len(server.requests) == 12
