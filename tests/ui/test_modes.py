"""The choice of a mode, what is counted for its card, and modes of one's own."""

import pytest
import streamlit as st

from synth import BaseSynthesizer
from synth.modes.registry import MODES
from tests.ui.page import Playground

pytestmark = pytest.mark.slow


class Shout(BaseSynthesizer):
    """A synthesizer as in LlamaIndex's documents: `get_response` and no steps."""

    mode = "shout"
    summary = "Says the question in capitals."

    def get_response(self, query_str, text_chunks, **variables):
        if not text_chunks:
            raise ZeroDivisionError("nothing to shout at")
        return query_str.upper()


@pytest.fixture
def shout(monkeypatch):
    monkeypatch.setitem(MODES, "shout", Shout)


@pytest.mark.usefixtures("shout")
def test_a_mode_that_can_only_be_called_is_run_and_not_planned():
    page = Playground(mode="shout", query_str="Why?")
    assert "<b>shout</b> has no steps of its own: it can be run, not planned." in page.text
    assert page.find_button("mode shout").help == "Says the question in capitals."
    page.finish()
    assert "<b>shout</b> made <b>no call</b>." in page.text
    assert '<div class="prompt tagged" dir="auto">WHY?</div>' in page.text


@pytest.mark.usefixtures("shout")
def test_a_custom_mode_that_fails_says_so():
    page = Playground(mode="shout", chunks=()).finish()
    assert "The run failed.ZeroDivisionError: nothing to shout at" in page.said


@pytest.fixture
def no_such_module(monkeypatch):
    monkeypatch.setenv("SYNTH_PLUGINS", "no_such_module_anywhere")
    st.cache_resource.clear()  # what a server does once
    yield
    st.cache_resource.clear()


@pytest.mark.usefixtures("no_such_module")
def test_a_module_that_is_missing_is_named_and_the_page_works():
    page = Playground()
    assert "A mode is missing.</b>" in page.text
    assert "no_such_module_anywhere" in page.text
    assert "<b>compact</b> made" in page.finish().text
