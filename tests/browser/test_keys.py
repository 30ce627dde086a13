"""Keys go to no host that nobody chose; Ctrl+Enter takes what was typed, and runs nothing."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import (
    close_menu,
    link,
    look_at,
    open_model,
    open_panel,
    press,
    run,
    run_button,
    settled,
    use_endpoint,
)
from tests.eventually import eventually
from tests.fake_openai import Answer, FakeOpenAI

KEY = "sk-PLANTED-0123456789"


@pytest.fixture
def ours() -> Iterator[FakeOpenAI]:
    """The server that the person chooses."""
    with FakeOpenAI(Answer("fine"), models=["m"]) as server:
        yield server


@pytest.fixture
def sink() -> Iterator[FakeOpenAI]:
    """Another host, which somebody else would like to see the key or the chunks."""
    with FakeOpenAI(Answer("thanks"), models=["m"]) as server:
        yield server


def knows(server: FakeOpenAI) -> str:
    return repr(server.requests)


def fill(page: Page, label: str, text: str) -> None:
    field = page.get_by_role("textbox", name=label, exact=True)
    field.fill(text)
    field.press("Tab")
    settled(page)


def run_now(page: Page) -> None:
    settled(page)
    run_button(page).click()
    expect(page.get_by_text(re.compile("made .* call|failed"))).not_to_have_count(0)
    settled(page)


def type_key_and_leave_it_with_tab(tab: Page) -> None:
    """In two parts; the field stays where it was, and keeps what it has."""
    open_model(tab)
    key = tab.get_by_role("textbox", name="API key")
    key.click()
    for typed in (KEY[:9], KEY[9:]):
        tab.keyboard.type(typed)
        tab.keyboard.press("Tab")
        settled(tab)
        tab.keyboard.press("Shift+Tab")
        tab.keyboard.press("Shift+Tab")
        expect(key).to_be_focused()
        tab.keyboard.press("End")


def test_a_key_is_used_once_it_is_left_and_does_not_follow_a_changed_address(
    tab: Page, app_url: str, ours: FakeOpenAI, sink: FakeOpenAI
) -> None:
    use_endpoint(tab, app_url, ours, "compact")
    type_key_and_leave_it_with_tab(tab)
    press(tab, "List models", exact=True)
    eventually(lambda: ours.requests, "the request for the models")
    assert {request.authorization for request in ours.requests} == {f"Bearer {KEY}"}
    ours.requests.clear()
    close_menu(tab)
    tab.get_by_role("link", name="Compare").click()
    tab.wait_for_url("**/compare**")
    open_model(tab)
    fill(tab, "Base URL", sink.base_url)
    expect(tab.get_by_role("textbox", name="API key", exact=True)).to_have_value("")
    tab.get_by_text("The key that you typed is for").wait_for()
    close_menu(tab)
    tab.go_back()
    expect(run_button(tab)).to_have_count(1)  # two while one page gives way to the other
    run_button(tab).wait_for()
    open_model(tab)
    press(tab, "List models", exact=True)
    eventually(lambda: sink.requests, "the request for the models")
    close_menu(tab)
    run_now(tab)
    assert len(sink.requests) > 1
    assert KEY not in knows(sink)
    open_model(tab)
    fill(tab, "Base URL", "http://localhost:8000/v1")
    settled(tab)
    expect(tab.get_by_role("textbox", name="API key", exact=True)).to_have_value("")
    fill(tab, "Base URL", ours.base_url)
    expect(tab.get_by_role("textbox", name="API key", exact=True)).to_have_value(KEY)
    # Opened anew, the page has forgotten the key and asks before the first run.
    tab.reload()
    run_button(tab).wait_for()
    settled(tab)
    expect(run_button(tab)).to_be_disabled()
    tab.get_by_role("button", name=re.compile("^Send to")).click()
    run_now(tab)
    assert ours.requests
    assert KEY not in knows(ours)


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
    tab.goto(link(app_url, mode="compact"))
    open_panel(tab, "Templates")
    field = tab.get_by_label("Text of the template")
    expect(field).to_have_css("background-image", re.compile("(rect.*){2}"))  # of the default
    field.fill("{{not one}} {query_str}, {context_str}, {tone} and {query_str} again")
    image = re.compile("(rect.*){4}")
    expect(field).to_have_css("background-image", image)
    grounds = re.findall("fill%3A(.*?)%22%2F", field.evaluate("one => one.style.backgroundImage"))
    assert [grounds[0] == ground for ground in grounds] == [True, False, False, True]
    assert len(set(grounds)) == 3
