"""The app as a user starts it, on a free loopback port, and Chromium to use it with."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Request,
    expect,
    sync_playwright,
)

from benchmarks.served import chromium
from tests.browser.actions import link, run_button, settled

expect.set_options(timeout=60_000)  # a busy machine with two cores takes its time

# No page is open for so long that it gains from optimized code what making that takes.
_NO_OPTIMIZED_CODE = "--js-flags=--no-maglev --no-turbofan"


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = chromium(playwright, _NO_OPTIMIZED_CODE)
        yield browser
        browser.close()


# One for all tests: most of the time that a page takes to open goes into compiling Streamlit's
# code, and a tab keeps what it has compiled while it stays on one site.
@pytest.fixture(scope="package")
def only_tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def said() -> list[str]:
    """What the browser says of the policy of the pages, and of scripts that fail."""
    return []


@pytest.fixture
def color_scheme() -> Literal["light", "dark"]:
    return "light"


@pytest.fixture
def tab(
    only_tab: Page,
    app_url: str,
    said: list[str],
    color_scheme: Literal["light", "dark"],
) -> Iterator[Page]:
    """A page that remembers nothing of another test, and has not opened the app.

    At the end the browser must have nothing to say.
    """
    only_tab.goto(f"{app_url}/_stcore/health")
    only_tab.evaluate("localStorage.clear(), sessionStorage.clear()")
    only_tab.context.clear_cookies()
    only_tab.emulate_media(media="null", color_scheme=color_scheme)
    only_tab.set_viewport_size({"width": 1440, "height": 900})
    only_tab.mouse.move(0, 0)

    def hear(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            said.append(message.text)

    def fail(error: Error) -> None:
        said.append(str(error))

    listeners: dict[Any, Any] = {"console": hear, "pageerror": fail}
    for event, listener in listeners.items():
        only_tab.on(event, listener)
    yield only_tab
    for event, listener in listeners.items():
        only_tab.remove_listener(event, listener)
    assert said == []


@pytest.fixture
def requests(tab: Page) -> Iterator[list[str]]:
    found: list[str] = []

    def ask(request: Request) -> None:
        found.append(request.url)

    tab.on("request", ask)
    yield found
    tab.remove_listener("request", ask)


@pytest.fixture
def page(tab: Page, app_url: str) -> Page:
    tab.goto(link(app_url, mode="compact"))  # on a plan, not where the last page was left
    run_button(tab).wait_for()
    settled(tab)
    return tab
