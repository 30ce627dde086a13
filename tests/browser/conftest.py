"""The app as a user starts it, on a free loopback port, and Chromium to use it with."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

expect.set_options(timeout=20_000)  # a busy machine with two cores takes its time


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="session")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--server.address", "127.0.0.1", "--server.headless", "true"]
    log = tmp_path_factory.mktemp("app") / "log"
    with log.open("wb") as output:
        app = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{url}/_stcore/health", app, log)
        yield url
    finally:
        app.terminate()
        app.wait()


def wait_for(url: str, app: subprocess.Popen[bytes], log: Path) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(300):
        assert app.poll() is None, log.read_text()
        try:
            opener.open(url)
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(log.read_text())


# Not for the session: Playwright keeps an event loop running in the thread, and tests of other
# modules that want one of their own may share it.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGS)
        yield browser
        browser.close()


# Pages share what Chromium keeps of the app's code; each opens with a workspace of its own.
@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    yield context
    context.close()


@pytest.fixture
def requests() -> list[str]:
    """The addresses that the page asked for."""
    return []


@pytest.fixture
def page(context: BrowserContext, app_url: str, requests: list[str]) -> Iterator[Page]:
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.on("request", lambda request: requests.append(request.url))
    page.goto(app_url)
    page.get_by_role("button", name="Run").wait_for()
    yield page
    page.close()
