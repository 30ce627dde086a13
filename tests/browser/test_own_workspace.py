"""Browsers at one address: one has the workspace, the other a copy of it."""

import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect
from sqlalchemy import make_url

from tests.browser.actions import ask, run_button, settled
from tests.eventually import eventually
from ui.history import workspaces
from ui.history.database import Database
from ui.history.history import History
from ui.session.browser import COOKIE

YEAR = 365 * 24 * 3600


def arrive(page: Page, address: str):
    page.goto(address)
    run_button(page).wait_for()
    settled(page)


def workspace_of(page: Page) -> str:
    [name] = parse_qs(urlsplit(page.url).query)["w"]
    return name


def question(page: Page):
    return page.get_by_role("textbox", name="Question")


def copied(page: Page):
    return page.get_by_text("This is a copy.")


def ask_and_save(page: Page, database: Path, words: str):
    """Enter a question, and wait until it is in the database."""
    ask(page, words)
    history = History(Database(make_url(f"sqlite:///{database}")))
    id = workspace_of(page)
    eventually(lambda: workspaces.load(history, id).get("query_str") == words, "it is saved")
    history.close()


def own_link(page: Page) -> str:
    page.get_by_role("button", name="Share").click()
    return page.locator(".st-key-own_link code").inner_text()


def test_a_second_browser_has_a_copy_until_it_is_given_the_right(
    tab: Page, app_url: str, app_database: Path
):
    arrive(tab, f"{app_url}/?w=new")
    ask_and_save(tab, app_database, "What of my pump?")
    address, workspace, link = tab.url, workspace_of(tab), own_link(tab)
    [cookie] = [one for one in tab.context.cookies() if one["name"] == COOKIE]
    assert cookie["sameSite"] == "Lax"
    assert 0 < time.time() + YEAR - cookie["expires"] < 600
    tab.context.clear_cookies()  # another browser

    arrive(tab, address)
    copied(tab).wait_for()
    expect(question(tab)).to_have_value("What of my pump?")
    assert workspace_of(tab) != workspace

    arrive(tab, link)
    expect(question(tab)).to_have_value("What of my pump?")
    expect(copied(tab)).to_have_count(0)
    assert workspace_of(tab) == workspace
    assert "own=" not in tab.url
