"""What a person does on the pages, again and again."""

import json
import re

from playwright.sync_api import Locator, Page, expect

from synth.export.files import pack
from tests.fake_openai import FakeOpenAI


def run_button(page: Page):
    # While the page is drawn anew, the button of the page before may still be there; and one that
    # says why it can't be pressed is drawn twice, for mice and for fingers.
    return page.locator(".st-key-run_button:not([data-stale=true]) button").first


def sentence(page: Page, words: str | re.Pattern[str]) -> Locator:
    """The sentence above a plan or a run; what is said aloud repeats it in another place."""
    return page.locator(".lede", has_text=words)


def run(page: Page, words: str | re.Pattern[str]):
    """Press Run once the page is drawn, and wait until these words say what was made."""
    settled(page)
    run_button(page).click()
    sentence(page, words).wait_for()


def press(page: Page, name: str, *, exact: bool = False):
    """Press the button of this name once the page is drawn: one that is replaced loses a press."""
    settled(page)
    page.get_by_role("button", name=name, exact=exact).click()


def ask(page: Page, question: str):
    settled(page)
    field = page.get_by_role("textbox", name="Question")
    field.fill(question)
    field.press("Control+Enter")
    settled(page)


def look_at(page: Page, view: str):
    settled(page)
    switch = page.get_by_role("radiogroup", name="View of the run")
    switch.get_by_role("radio", name=view, exact=True).click()
    expect(switch.get_by_role("radio", name=view, exact=True)).to_be_checked()


def choose(page: Page, name: str):
    settled(page)
    page.get_by_role("radio", name=name, exact=True).click()


def open_panel(page: Page, name: str):
    """Show the chunks, the templates or the limits at the left."""
    settled(page)
    panels = page.get_by_role("radiogroup", name="What goes in")
    panels.get_by_role("radio", name=name).click()
    settled(page)


def open_model(page: Page):
    """Open the menu of the model."""
    settled(page)
    page.locator(".st-key-model_menu button").first.click()
    page.locator(".st-key-model_menu_contents").wait_for()
    settled(page)


def close_menu(page: Page):
    """Close the menu that is open."""
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    settled(page)


def choose_mode(page: Page, name: str):
    settled(page)
    card = page.locator(f".st-key-mode-{name} button").first  # one with a help is drawn twice
    if not card.is_visible():
        page.locator(".st-key-other_modes button").click()
    card.click()


def paste(page: Page, text: str):
    press(page, "Own text", exact=True)
    page.get_by_role("textbox", name="Text", exact=True).fill(text)
    press(page, "Use th")
    page.get_by_text("became").wait_for()


def settled(page: Page):
    """Wait until the page is drawn; what is typed earlier may meet a field that is replaced."""
    page.wait_for_timeout(200)  # a change takes a moment to reach the server
    # `expect` on an attribute would describe the whole page each time that it looks.
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    # Widgets whose code is still on its way have a grey box in their place.
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def link(app_url: str, **values: object) -> str:
    """The address of a new workspace with these values, as somebody may send it."""
    text = json.dumps({"kind": "workspace", "version": 1, "values": values})
    return f"{app_url}/?open={pack(text)}"


def use_endpoint(
    tab: Page, app_url: str, server: FakeOpenAI, mode: str = "refine", **values: object
):
    """Open the Playground with the sample, and type the address of this endpoint."""
    tab.goto(link(app_url, model="endpoint", model_name="m", mode=mode, **values))
    open_model(tab)
    field = tab.get_by_role("textbox", name="Base URL")
    field.fill(server.base_url)
    field.press("Enter")
    expect(run_button(tab)).to_be_enabled()
    close_menu(tab)
