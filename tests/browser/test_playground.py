"""The Playground as a person uses it, also one who sees no picture of it."""

from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.actions import (
    ask,
    look_at,
    open_panel,
    paste,
    run,
    run_button,
    sentence,
    settled,
    use_endpoint,
)
from tests.fake_openai import Answer, FakeOpenAI

EVIL = "<img src=x onerror=\"fetch('http://evil.invalid/')\"> ![seen](http://evil.invalid/a.png)"
EVIL_ANSWER = (
    "# Cause\nwww.evil.invalid <http://evil.invalid> me@evil.invalid\n"
    "![seen](http://evil.invalid/a.png) [click](http://evil.invalid/b) <img src=x>\n"
    "![ref][r]\n\n[r]: http://evil.invalid/c.png\n\n**eight** connections for $5 and $6"
    "\n\nThe pump failed at noon."
)


def test_from_paste_to_every_call_markup_is_text_and_nothing_leaves_the_machine(
    tab: Page, app_url: str, requests: list[str], said: list[str]
):
    with FakeOpenAI(Answer(EVIL_ANSWER)) as server:
        use_endpoint(tab, app_url, server, "compact")
        paste(tab, f"The pump failed at noon.\n\nA valve was closed by hand.\n\n{EVIL}")
        sentence(tab, "compact would make 1 call").wait_for()
        expect(run_button(tab)).to_be_disabled()
        ask(tab, f"What pump failed at noon? {EVIL}")
        run(tab, "compact made 1 call")
    look_at(tab, "Answer")
    expect(tab.locator(".tagged")).to_contain_text("The pump failed at noon")
    settled(tab)
    tab.get_by_text("for $5 and $6").first.wait_for()
    nothing_evil_is_drawn(tab)
    for view in ("Steps", "Coverage", "Answer", "Calls"):
        look_at(tab, view)
    prompt = tab.locator(".prompt")
    expect(prompt.locator(".s-query")).to_have_text(f"What pump failed at noon? {EVIL}")
    expect(prompt.locator(".s-context").nth(1)).to_have_text("A valve was closed by hand.")
    nothing_evil_is_drawn(tab)
    assert {urlsplit(url).hostname for url in requests if url.startswith("http")} == {"127.0.0.1"}
    assert said == []
    tab.evaluate("document.body.innerHTML += '<img src=x onerror=\"window.ran = 1\">'")
    tab.wait_for_timeout(200)
    assert "Content Security Policy" in " ".join(said)
    assert tab.evaluate("window.ran") is None
    said.clear()


def nothing_evil_is_drawn(tab: Page):
    expect(tab.locator("img[src*=evil], img[src=x], a[href*=evil]")).to_have_count(0)


REGION = "announcements"  # the id of the element that is said aloud


def focus(page: Page) -> str:
    """The words of the element that has the focus; "" if it is lost."""
    return page.evaluate(
        "document.activeElement === document.body ? '' : document.activeElement.innerText"
    )


def window(page: Page, value: str):
    field = page.get_by_role("spinbutton", name="Context window")
    field.fill(value)
    field.press("Enter")
    return field


def test_what_changed_is_said_and_the_focus_stays_or_goes_to_it(page: Page):
    said = page.locator(f"#{REGION}")
    open_panel(page, "Limits")
    page.evaluate("document.activeElement.blur()")
    field = window(page, "700")
    expect(said).to_contain_text("would make")
    settled(page)
    expect(field).to_be_focused()  # an edit leaves it
    run_button(page).press("Enter")
    expect(said).to_contain_text("compact made 4 calls")
    settled(page)
    assert focus(page).startswith("compact made 4 calls")
    page.keyboard.press("Tab")
    assert focus(page)
    window(page, "1024")
    expect(said).to_contain_text("would make")
    settled(page)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+Enter")
    expect(said).to_contain_text("compact made 2 calls")
