"""A key that a person typed, and the chunks, never reach a host that the person did not choose."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import close_menu, open_model, press, run_button, settled, use_endpoint
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


def run(page: Page) -> None:
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
    press(tab, "Test", exact=True)
    tab.get_by_text("It answers.").wait_for()
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
    for button in ("Test", "List models"):
        press(tab, button, exact=True)
    close_menu(tab)
    run(tab)
    assert sink.requests
    assert KEY not in knows(sink)
    open_model(tab)
    tab.get_by_text("More", exact=True).click()
    known = tab.get_by_role("combobox", name="Known server")
    known.fill("vLLM")
    known.press("Enter")
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
    run(tab)
    assert ours.requests
    assert KEY not in knows(ours)
