"""Two people sign in with a provider of OpenID Connect that nobody here wrote."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from oidc_provider_mock import User, run_server_in_thread
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import make_url

from benchmarks.served import Served, served
from tests.browser.actions import ask, run_button, settled
from tests.eventually import eventually
from ui.history import workspaces
from ui.history.database import Database
from ui.history.history import History

SECRETS = """
[auth]
redirect_uri = "http://127.0.0.1:{{port}}/oauth2callback"
cookie_secret = "of the tests, which keep it nowhere"
client_id = "playground"
client_secret = "secret"
server_metadata_url = "http://localhost:{port}/.well-known/openid-configuration"
"""
SAME = {"email": "class@example.org", "name": "A. Student"}  # a name that both have


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("database") / "history.sqlite3"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, database: Path) -> Iterator[Served]:
    people = [User(sub=name, claims=SAME) for name in ("alice", "bob")]
    secrets = tmp_path_factory.mktemp("secrets") / "secrets.toml"
    with run_server_in_thread(user_claims=people) as provider:
        secrets.write_text(SECRETS.format(port=provider.server_port))
        with served("server.py", database, options=["--secrets.files", str(secrets)]) as running:
            yield running


def sign_in(browser: Browser, address: str, person: str) -> Page:
    """A browser of this person, who opened the address and was asked to sign in."""
    page = browser.new_context().new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    enter(page, person)
    return page


def enter(page: Page, person: str):
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name=person, exact=True).first.click()
    run_button(page).wait_for()
    settled(page)


def question(page: Page):
    return page.get_by_role("textbox", name="Question")


def workspace_of(page: Page) -> str:
    [name] = parse_qs(urlsplit(page.url).query)["w"]
    return name


def ask_and_save(page: Page, database: Path, words: str):
    """Enter a question, and wait until it is in the database."""
    ask(page, words)
    id = workspace_of(page)
    history = History(Database(make_url(f"sqlite:///{database}")))
    eventually(
        lambda: workspaces.load(history, id).get("query_str") == words, "the question is saved"
    )
    history.close()


def test_each_has_what_is_theirs_in_any_browser_and_nobody_else_does(
    browser: Browser, app: Served, database: Path
):
    alice = sign_in(browser, app.url, "alice")
    ask_and_save(alice, database, "What did Alice ask?")
    address = f"{app.url}/?w={workspace_of(alice)}"
    bob = sign_in(browser, address, "bob")
    expect(bob.get_by_text("This address is of another person's workspace.")).to_be_visible()
    expect(question(bob)).not_to_have_value("What did Alice ask?")
    assert workspace_of(bob) != workspace_of(alice)
    bob.goto(f"{app.url}/runs?w={workspace_of(alice)}")
    expect(bob.get_by_text("No run is saved yet.")).to_be_visible()
    again = sign_in(browser, address, "alice")  # on another machine, say
    expect(question(again)).to_have_value("What did Alice ask?")
    assert workspace_of(again) == workspace_of(alice)


def test_a_link_for_a_class_opens_a_copy_for_whoever_signs_in(browser: Browser, app: Served):
    teacher = sign_in(browser, app.url, "alice")
    ask(teacher, "What should the class find out?")
    teacher.get_by_role("button", name="Share").click()
    link = teacher.locator(".st-key-workspace_link code").inner_text()
    student = sign_in(browser, link, "bob")
    expect(question(student)).to_have_value("What should the class find out?")
    assert workspace_of(student) != workspace_of(teacher)


def test_who_signs_out_leaves_nothing_to_the_next_at_this_browser(
    browser: Browser, app: Served, database: Path
):
    page = sign_in(browser, app.url, "alice")
    ask_and_save(page, database, "What did Alice ask?")
    address = page.url
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Signed in as A. Student")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()  # the provider asks, too
    page.get_by_role("button", name="Sign in").wait_for()
    page.goto(address)
    page.get_by_role("button", name="Sign in").wait_for()
    expect(page.get_by_text("What did Alice ask?")).to_have_count(0)
    enter(page, "bob")
    expect(page.get_by_text("This address is of another person's workspace.")).to_be_visible()
    expect(question(page)).not_to_have_value("What did Alice ask?")
