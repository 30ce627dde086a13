"""Who must sign in, read from Streamlit's secrets; where these can't be read, nobody gets in."""

import pytest
import streamlit as st
from streamlit.runtime.secrets import secrets_singleton

from synth.errors import SynthError
from tests.ui.page import Playground
from ui.session import account, browser, keys

TWO = (
    '[auth]\ncookie_secret = "s"\n[auth.google]\nclient_id = "c"\n[auth.school]\nclient_id = "c"\n'
)
ONE = '[auth]\nclient_id = "c"\n'


@pytest.fixture
def secrets(tmp_path):
    """A function that gives the server secrets with this text."""
    before, file = st.get_option("secrets.files"), tmp_path / "secrets.toml"

    def read_from(files):
        st.config.set_option("secrets.files", files)
        secrets_singleton._reset()

    def write(text):
        file.write_text(text)
        read_from([str(file)])

    yield write
    read_from(before)


@pytest.mark.parametrize(
    ("text", "providers"),
    [("", []), ('other = "x"', []), (ONE, [None]), (TWO, ["google", "school"])],
)
def test_who_can_be_signed_in_with(secrets, text, providers):
    secrets(text)
    assert account.is_asked_for() == bool(providers)
    assert account.providers() == providers


def test_secrets_that_can_not_be_read_let_nobody_in(secrets):
    secrets("[auth\n")
    with pytest.raises(SynthError, match="nobody can sign in"):
        account.is_asked_for()
    page = Playground()
    assert "Nobody can sign in." in page.text
    assert not page.keys


def test_a_page_asks_before_it_opens_anything(secrets):
    page = Playground(query_str="What of Alice?")
    secrets(TWO)
    page.open()
    assert {"sign in google", "sign in school"} <= page.keys
    assert "query_str" not in page.keys
    assert keys.WORKSPACE not in page.at.session_state


def test_nobodys_machine_is_ones_own_where_people_sign_in(secrets, monkeypatch):
    monkeypatch.setenv("SYNTH_OWN_MACHINE", "1")
    monkeypatch.setattr(browser, "is_asked_from_here", lambda *_: True)
    monkeypatch.setattr(browser, "_asked_by_itself", lambda _: True)
    assert browser.is_own_machine()
    secrets(ONE)
    assert not browser.is_own_machine()
