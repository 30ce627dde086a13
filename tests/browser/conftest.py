"""The app as a user starts it, on a free loopback port, and Chromium to use it with."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from benchmarks.served import chromium, served
from tests.browser.actions import run_button

expect.set_options(timeout=60_000)  # a busy machine with two cores takes its time


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    with served("app.py") as app:
        yield app.url


# Not for the session: Playwright keeps an event loop running in the thread, and tests of other
# modules that want one of their own may share it.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        yield browser
        browser.close()


# Pages share what Chromium keeps of the app's code; each opens with a workspace of its own.
@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(60_000)
    yield context
    context.close()


@pytest.fixture
def requests() -> list[str]:
    """The addresses that the page asked for."""
    return []


@pytest.fixture
def tab(context: BrowserContext, requests: list[str]) -> Iterator[Page]:
    """A page for a test that opens another address than the Playground's."""
    page = context.new_page()
    page.on("request", lambda request: requests.append(request.url))
    yield page
    page.close()


@pytest.fixture
def page(tab: Page, app_url: str) -> Page:
    """The Playground."""
    tab.goto(f"{app_url}/?w=new")  # not where the last page was left
    run_button(tab).wait_for()
    return tab
