"""Two people sign in with a provider of OpenID Connect that nobody here wrote."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from oidc_provider_mock import User, run_server_in_thread
from playwright.sync_api import Page, expect

from benchmarks.served import Served, served
from tests.browser.actions import run_button, settled
from tests.browser.test_own_workspace import ask_and_save, question, workspace_of

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


def sign_in(tab: Page, address: str, person: str):
    """Be this person in a browser where nobody was, who opened the address and was asked."""
    tab.context.clear_cookies()
    tab.goto(address)
    enter(tab, person)


def enter(page: Page, person: str):
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name=person, exact=True).first.click()
    run_button(page).wait_for()
    settled(page)


def test_each_has_what_is_theirs_in_any_browser_and_nobody_else_does(
    tab: Page, app: Served, database: Path
):
    sign_in(tab, app.url, "alice")
    ask_and_save(tab, database, "What did Alice ask?")
    workspace = workspace_of(tab)
    address = f"{app.url}/?w={workspace}"

    sign_in(tab, address, "alice")  # on another machine, say
    expect(question(tab)).to_have_value("What did Alice ask?")
    assert workspace_of(tab) == workspace

    # Who signs out leaves nothing to the next at this browser.
    tab.get_by_role("button", name="Share").click()
    tab.get_by_text("Signed in as A. Student").wait_for()
    tab.get_by_role("button", name="Sign out").click()
    tab.get_by_role("button", name="End session").click()  # the provider asks, too
    tab.get_by_role("button", name="Sign in").wait_for()
    tab.goto(address)
    tab.get_by_role("button", name="Sign in").wait_for()
    expect(tab.get_by_text("What did Alice ask?")).to_have_count(0)
    enter(tab, "bob")
    tab.get_by_text("This address is of another person's workspace.").wait_for()
    expect(question(tab)).not_to_have_value("What did Alice ask?")
    assert workspace_of(tab) != workspace
