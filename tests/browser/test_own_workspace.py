"""Two browsers at one address: one has the workspace, the other a copy of it."""

import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy import make_url

from benchmarks.served import served
from tests.browser.actions import ask, run_button, settled
from tests.eventually import eventually
from ui.history import workspaces
from ui.history.database import Database
from ui.history.history import History
from ui.session.browser import COOKIE

YEAR = 365 * 24 * 3600


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def arrive(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    run_button(page).wait_for()
    settled(page)
    return page


def workspace_of(page: Page) -> str:
    [name] = parse_qs(urlsplit(page.url).query)["w"]
    return name


def question(page: Page):
    return page.get_by_role("textbox", name="Question")


def copied(page: Page):
    return page.get_by_text("This is a copy.")


def eventually_saved(database: Path, page: Page, words: str):
    history = History(Database(make_url(f"sqlite:///{database}")))
    id = workspace_of(page)
    eventually(lambda: workspaces.load(history, id).get("query_str") == words, "it is saved")
    history.close()


def own_link(page: Page) -> str:
    page.get_by_role("button", name="Share").click()
    return page.locator(".st-key-own_link code").inner_text()


def test_a_second_browser_has_a_copy_until_it_is_given_the_right(browser: Browser, database: Path):
    mine, theirs = browser.new_context(), browser.new_context()
    with served("server.py", database) as server:
        page = arrive(mine, server.url)
        ask(page, "What of my pump?")
        eventually_saved(database, page, "What of my pump?")
        address = page.url
        tab = arrive(mine, address)  # two tabs of one browser share
        expect(question(tab)).to_have_value("What of my pump?")
        assert workspace_of(tab) == workspace_of(page)

        other = arrive(theirs, address)
        expect(copied(other)).to_be_visible()
        expect(question(other)).to_have_value("What of my pump?")
        assert workspace_of(other) != workspace_of(page)
        ask(other, "What of their pump?")
        ask(page, "What of my old pump?")
        eventually_saved(database, page, "What of my old pump?")
        for where, words in ((page, "What of my old pump?"), (other, "What of their pump?")):
            where.reload()
            run_button(where).wait_for()
            expect(question(where)).to_have_value(words)
            expect(copied(where)).to_have_count(0)

        given = arrive(theirs, own_link(page))
        expect(question(given)).to_have_value("What of my old pump?")
        expect(copied(given)).to_have_count(0)
        assert workspace_of(given) == workspace_of(page)
        assert "own=" not in given.url
        ask(given, "What of our pump?")
        eventually_saved(database, page, "What of our pump?")

    with served("server.py", database) as server:  # another one, which has nothing in memory
        for context, copies in ((mine, 0), (theirs, 0), (browser.new_context(), 1)):
            back = arrive(context, f"{server.url}/?w={workspace_of(page)}")
            expect(question(back)).to_have_value("What of our pump?")
            expect(copied(back)).to_have_count(copies)


def test_the_secret_of_a_browser_is_a_cookie_for_a_year(browser: Browser, app_url: str):
    context = browser.new_context()
    page = arrive(context, app_url)
    [cookie] = [one for one in context.cookies() if one["name"] == COOKIE]
    assert cookie["sameSite"] == "Lax"
    assert 0 < time.time() + YEAR - cookie["expires"] < 600
    page.goto(f"{app_url}/learn")
    page.get_by_role("heading").first.wait_for()
    arrive(context, app_url)
    assert [one["value"] for one in context.cookies() if one["name"] == COOKIE] == [cookie["value"]]
