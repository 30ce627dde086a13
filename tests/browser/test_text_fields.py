"""Ctrl+Enter in a text field of any kind takes what was typed, and runs nothing."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import look_at, open_panel, press, run, run_button, settled, use_endpoint
from tests.fake_openai import Answer, FakeOpenAI


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
        wanted = edited(field)
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


def test_in_the_fields_of_the_playground_of_a_result_and_of_compare(tab: Page, app_url: str):
    with FakeOpenAI(Answer("an answer")) as server:
        use_endpoint(tab, app_url, server, "compact")
        in_the_fields_of_the_playground_and_its_popovers(tab)
        assert not server.requests
        run(tab, "compact made")
        calls = len(server.requests)
        in_the_fields_of_a_result_and_of_compare(tab)
        assert len(server.requests) == calls
    [prompt] = server.requests[0].body["messages"]
    for edit in ("learned about it. more\n", "was it fixed? more\n", "Answer:  more"):
        assert edit in prompt["content"]  # of the chunk, the question and the template


def in_the_fields_of_the_playground_and_its_popovers(tab: Page):
    tab.get_by_role("button", name="Chunk 1 sent").click()
    tab.get_by_role("textbox", name="Text of the chunk").wait_for()
    press_in(tab, "Question", "Text of the chunk")
    open_panel(tab, "Templates")
    press_in(tab, "Text of the template")
    open_panel(tab, "Limits")
    press_in(tab, "Context window")
    assert "window=1025" in tab.url
    open_panel(tab, "Chunks")
    press(tab, "Own text", exact=True)
    settled(tab)
    tab.get_by_role("dialog").get_by_text("Split by tokens").click()
    settled(tab)
    size = field_named(tab, "Tokens per chunk")
    enter(tab, size, "7")
    expect(size).to_have_value("7")
    tab.keyboard.press("Escape")
    expect(run_button(tab)).to_be_enabled()


def in_the_fields_of_a_result_and_of_compare(tab: Page):
    look_at(tab, "Steps")
    press(tab, "Edit and go on")
    press_in(tab, "New answer")
    expect(tab.get_by_text("edited by hand")).to_have_count(0)
    open_panel(tab, "Limits")
    press_in(tab, "Context window")
    tab.get_by_text("Last answer is out of date").wait_for()
    settled(tab)
    tab.get_by_role("link", name="Compare").click()
    tab.get_by_role("button", name="Run all").wait_for()
    settled(tab)
    press(tab, "1 question")
    tab.get_by_role("textbox", name="A list of questions").wait_for()
    press_in(tab, "A list of questions, one per line")
