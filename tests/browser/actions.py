"""What a person does on the pages, again and again."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.fake_openai import FakeOpenAI


def run_button(page: Page):
    # While the page is drawn anew, the button of the page before may still be there; and one that
    # says why it can't be pressed is drawn twice, for mice and for fingers.
    return page.locator(".st-key-run_button:not([data-stale=true]) button").first


def sentence(page: Page, words: str | re.Pattern[str]) -> Locator:
    """The sentence above a plan or a run; what is said aloud repeats it in another place."""
    return page.locator(".lede", has_text=words)


def ask(page: Page, question: str):
    """Put a question in the place of the present one."""
    field = page.get_by_role("textbox", name="Question")
    field.fill(question)
    field.press("Control+Enter")
    settled(page)


def look_at(page: Page, view: str):
    switch = page.get_by_role("radiogroup", name="View of the run")
    switch.get_by_role("radio", name=view, exact=True).click()
    expect(switch.get_by_role("radio", name=view, exact=True)).to_be_checked()


def choose(page: Page, name: str):
    page.get_by_role("radio", name=name, exact=True).click()


def choose_mode(page: Page, name: str):
    card = page.locator(f".st-key-mode-{name} button")
    if not card.is_visible():
        page.locator(".st-key-other_modes button").click()
    card.click()


def paste(page: Page, text: str):
    page.get_by_role("button", name="Own text", exact=True).click()
    page.get_by_role("textbox", name="Text", exact=True).fill(text)
    page.get_by_role("button", name="Use th").click()
    expect(page.get_by_text("became")).to_be_visible()


def settled(page: Page):
    """Wait until the page is drawn; what is typed earlier may meet a field that is replaced."""
    page.wait_for_timeout(200)  # a change takes a moment to reach the server
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=60_000
    )
    # Widgets whose code is still on its way have a grey box in their place.
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def use_endpoint(page: Page, server: FakeOpenAI):
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="OpenAI-compatible endpoint").click()
    settled(page)
    for label, value in (("Base URL", server.base_url), ("Model name", "m")):
        field = page.get_by_role("textbox", name=label)
        field.fill(value)
        field.press("Enter")
        settled(page)
    page.locator(".st-key-mode-refine button").click()
    expect(sentence(page, "refine would make 12 calls")).to_be_visible()
