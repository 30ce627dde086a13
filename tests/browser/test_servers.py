"""Several servers behind a real HAProxy, as `scripts/servers.sh` starts them for many people."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import psutil
import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect
from sqlalchemy import make_url

from benchmarks.served import Served, served
from tests.browser.actions import ask, press, run_button, sentence, settled
from tests.eventually import eventually
from ui.store import runs as saved_runs
from ui.store.store import Store

pytestmark = pytest.mark.skipif(shutil.which("haproxy") is None, reason="needs HAProxy")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


@pytest.fixture
def servers(database: Path) -> Iterator[Served]:
    with served("server.py", database, servers=2) as running:
        yield running


@pytest.fixture
def store(servers: Served, database: Path) -> Iterator[Store]:
    opened = Store(make_url(f"sqlite:///{database}"))
    yield opened
    opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that is closed at the end, or it would call for its server as long as the tests."""
    context = browser.new_context()
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def upload(page: Page):
    press(page, "Own text", exact=True)
    file = FilePayload(name="a.txt", mimeType="text/plain", buffer=b"A pump failed. It was old.")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("became 1 chunk")).to_be_visible()
    settled(page)


def server_of(page: Page) -> str:
    [name] = {cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "server"}
    return name


def workspace_of(page: Page) -> str:
    [name] = parse_qs(urlsplit(page.url).query)["w"]
    return name


def eventually_saved(store: Store, page: Page, words: str):
    id = workspace_of(page)
    eventually(
        lambda: saved_runs.load_workspace(store, id).get("query_str") == words,
        "the question is saved",
    )


def process_of(name: str, servers: Served) -> int:
    port = int(servers.url.rpartition(":")[2]) + int(name.removeprefix("server"))
    [found] = [
        child.pid
        for child in psutil.Process(servers.pid).children()
        if str(port) in child.cmdline() and "streamlit" in child.cmdline()
    ]
    return found


def question(page: Page):
    return page.get_by_role("textbox", name="Question")


def test_people_are_spread_and_whose_server_is_killed_goes_on_at_the_other(
    page: Page, servers: Served, store: Store
):
    page.goto(servers.url)
    run_button(page).wait_for()
    settled(page)
    name = server_of(page)
    assert httpx2.get(servers.url, trust_env=False).cookies["server"] != name  # a second browser
    upload(page)
    ask(page, "What of the pump?")
    page.reload()
    expect(question(page)).to_have_value("What of the pump?")
    expect(sentence(page, "would make 1 call")).to_be_visible()
    eventually_saved(store, page, "What of the pump?")
    os.kill(process_of(name, servers), signal.SIGKILL)
    eventually(lambda: server_of(page) != name, "another server answers")
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    settled(page)
    expect(question(page)).to_have_value("What of the pump?")
    expect(sentence(page, "would make 1 call")).to_be_visible()
    ask(page, "What of the old pump?")
    eventually_saved(store, page, "What of the old pump?")
    page.reload()
    expect(question(page)).to_have_value("What of the old pump?")
