"""Ctrl+Enter in a text field of any kind takes what was typed, and runs nothing."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import look_at, open_panel, press, run, settled, use_endpoint
from tests.fake_openai import Answer, FakeOpenAI


def press_in(page: Page, name: str) -> None:
    """Edit this text field, press Ctrl+Enter in it twice, and look that this was taken."""
    settled(page)
    field = page.locator(f'input[aria-label="{name}"], textarea[aria-label="{name}"]')
    field = field.locator("visible=true").first
    before = field.input_value()
    wanted = f"{int(before) + 1}" if before.isdigit() else f"{before} more"
    field.fill(wanted)
    field.press("Control+Enter")
    field.press("Control+Enter")  # with nothing left to take
    settled(page)
    expect(field, name).to_have_value(re.compile(f"^{re.escape(wanted)}"))
    expect(page.get_by_text("Press Ctrl+Enter to apply")).to_have_count(0)


def test_in_the_fields_of_the_playground_of_a_result_and_of_compare(tab: Page, app_url: str):
    with FakeOpenAI(Answer("an answer")) as server:
        use_endpoint(tab, app_url, server, "compact")
        tab.get_by_role("button", name="Chunk 1 sent").click()
        tab.get_by_role("textbox", name="Text of the chunk").wait_for()
        press_in(tab, "Question")
        press_in(tab, "Text of the chunk")
        open_panel(tab, "Templates")
        press_in(tab, "Text of the template")
        open_panel(tab, "Limits")
        press_in(tab, "Context window")
        assert not server.requests
        run(tab, "compact made")
        calls = len(server.requests)
        look_at(tab, "Steps")
        press(tab, "Edit and go on")
        press_in(tab, "New answer")
        expect(tab.get_by_text("edited by hand")).to_have_count(0)
        tab.get_by_role("link", name="Compare").click()
        press(tab, "1 question")
        press_in(tab, "A list of questions, one per line")
        assert len(server.requests) == calls
    [prompt] = server.requests[0].body["messages"]
    for edit in ("learned about it. more\n", "was it fixed? more\n", "Answer:  more"):
        assert edit in prompt["content"]  # of the chunk, the question and the template


def test_the_variables_of_a_template_have_their_colours_as_they_are_typed(tab: Page, app_url: str):
    tab.goto(f"{app_url}/?w=new&mode=compact")
    open_panel(tab, "Templates")
    field = tab.get_by_label("Text of the template")
    expect(field).to_have_css("background-image", re.compile("(rect.*){2}"))  # of the default
    field.fill("{{not one}} {query_str}, {context_str}, {tone} and {query_str} again")
    image = re.compile("(rect.*){4}")
    expect(field).to_have_css("background-image", image)
    grounds = re.findall("fill%3A(.*?)%22%2F", field.evaluate("one => one.style.backgroundImage"))
    assert [grounds[0] == ground for ground in grounds] == [True, False, False, True]
    assert len(set(grounds)) == 3
