"""The Playground as a person uses it."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.actions import ask, look_at, paste, run_button, sentence, settled, use_endpoint
from tests.fake_openai import Answer, FakeOpenAI, Silence

EVIL = "<img src=x onerror=\"fetch('http://evil.invalid/')\"> ![seen](http://evil.invalid/a.png)"


def test_from_paste_to_every_call(page: Page):
    paste(page, "The pump failed at noon.\n\nA valve was closed by hand.\n\nIt rained.")
    expect(sentence(page, "compact would make 1 call")).to_be_visible()
    expect(run_button(page)).to_be_disabled()
    ask(page, "What failed?")
    run_button(page).click()
    expect(sentence(page, "compact made 1 call")).to_be_visible()
    expect(page.locator(".tagged")).to_contain_text("The pump failed at noon")
    look_at(page, "Calls")
    prompt = page.locator(".prompt")
    expect(prompt.locator(".s-query")).to_have_text("What failed?")
    expect(prompt.locator(".s-context").nth(1)).to_have_text("A valve was closed by hand.")


def test_going_back_leaves_the_page_and_keeps_the_settings(page: Page):
    def window_is(value: int):
        expect(page).to_have_url(re.compile(rf"[?&]window={value}(&|$)"))
        expect(page.get_by_role("spinbutton", name="Context window")).to_have_value(f"{value}")

    def set_window(value: int):
        window = page.get_by_role("spinbutton", name="Context window")
        window.fill(f"{value}")
        window.press("Enter")
        settled(page)
        window_is(value)

    set_window(500)
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.get_by_role("button", name="Run all")).to_be_visible()
    settled(page)
    window_is(500)
    set_window(700)
    page.go_back()
    page.locator(".st-key-mode_cards").wait_for()
    settled(page)
    window_is(700)
    set_window(600)
    page.go_forward()
    expect(page.get_by_role("button", name="Run all")).to_be_visible()
    settled(page)
    expect(page.get_by_role("spinbutton", name="Context window")).to_have_value("600")
    page.reload()
    expect(page.get_by_role("spinbutton", name="Context window")).to_have_value("600")


def test_a_setting_that_nobody_touched_is_the_same_on_the_next_page(page: Page):
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.get_by_role("button", name="Run all")).to_be_visible()
    settled(page)
    expect(page.get_by_role("spinbutton", name="Context window")).to_have_value("1024")


def test_stop_keeps_what_arrived(page: Page):
    with FakeOpenAI(Answer("the first answer"), Silence()) as server:
        use_endpoint(page, server)
        run_button(page).click()
        expect(sentence(page, "1 of 12 calls answered")).to_be_visible()
        expect(page.locator(".running").locator("visible=true")).to_have_count(1)
        waiting = page.locator(".waiting").locator("visible=true")
        expect(waiting).to_have_count(10)
        expect(page.get_by_role("textbox", name="Question")).to_be_visible()
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_text("1 answer was kept")).to_be_visible()
        expect(run_button(page)).to_be_visible()
        look_at(page, "Calls")
        expect(page.locator(".answer")).to_have_text("the first answer")
        assert server.requests[0].body["stream"]


def test_pasted_markup_is_text_and_nothing_leaves_the_machine(page: Page, requests: list[str]):
    paste(page, EVIL)
    ask(page, EVIL)
    run_button(page).click()
    expect(sentence(page, "compact made 1 call")).to_be_visible()
    for view in ("Calls", "Flow", "Coverage", "Data", "Plan", "Answer"):
        look_at(page, view)
    look_at(page, "Calls")
    expect(page.locator(".prompt .s-query")).to_have_text(EVIL)
    assert page.locator("img[src*=evil], img[src=x]").count() == 0
    assert {urlsplit(url).hostname for url in requests if url.startswith("http")} == {"127.0.0.1"}


def test_a_key_that_is_left_with_tab_is_used(page: Page):
    with FakeOpenAI(Answer("ok")) as server:
        use_endpoint(page, server)
        key = page.get_by_role("textbox", name="API key")
        key.click()
        for typed in ("sk-typed", "-on"):
            page.keyboard.type(typed)
            page.keyboard.press("Tab")
            settled(page)
            page.keyboard.press("Shift+Tab")
            page.keyboard.press("Shift+Tab")
            expect(key).to_be_focused()
            page.keyboard.press("End")
        page.get_by_role("button", name="Test", exact=True).click()
        expect(page.get_by_text("It answers.")).to_be_visible()
        run_button(page).click()
        expect(sentence(page, "refine made 12 calls")).to_be_visible()
    assert {request.authorization for request in server.requests} == {"Bearer sk-typed-on"}
