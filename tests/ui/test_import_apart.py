"""A large file is read, compared and explained in a process of its own, for a time that ends."""

import pytest

from synth.traces import read
from tests.traces.test_fitting import helper
from tests.traces.test_live import record
from tests.ui.test_import import SDK, VERIFIED, Trace
from ui.session.apart import TookTooMuch, apart

pytestmark = pytest.mark.slow


def large(monkeypatch):
    """From now on everything is too large to be read on the page's own."""
    monkeypatch.setattr("ui.session.apart.MOST_HERE", 0)
    monkeypatch.setattr("ui.imported.opened_file._QUICK_CALLS", 0)


def calls_apart(monkeypatch, function):
    """Let this function call what is to be called in a process of its own."""
    monkeypatch.setattr("ui.session.apart.apart", function)
    monkeypatch.setattr("ui.imported.opened_file.apart", function)


def test_a_large_file_is_read_and_compared_in_a_process_of_its_own(monkeypatch):
    large(monkeypatch)
    names = []

    def called_apart(function, *args):
        names.append(getattr(function, "func", function).__name__)
        return apart(function, *args)

    calls_apart(monkeypatch, called_apart)
    page = Trace().upload(SDK)
    assert VERIFIED in page.text
    assert "<b>accumulate, recorded</b>" in page.text
    assert names == ["read", "beside", "other_modes"]
    page.draw()
    assert len(names) == 3  # what came of it is kept


def took_too_much(*_):
    raise TookTooMuch("took more than 20 seconds")


def test_a_file_that_takes_too_long_is_named(monkeypatch):
    large(monkeypatch)
    calls_apart(monkeypatch, took_too_much)
    page = Trace().upload(SDK, "slow.jsonl")
    expected = f"Reading the {len(SDK):,} bytes of slow.jsonl took more than 20 seconds: export"
    assert expected in page.text


def test_a_comparison_that_takes_too_long_shows_the_recording(monkeypatch):
    page = Trace()
    [run] = read(SDK)
    large(monkeypatch)
    calls_apart(monkeypatch, took_too_much)
    page.show(run)
    assert "Not compared. </b>This took more than 20 seconds, with 54 characters" in page.text
    assert "The recorded calls · 2" in page.text
    assert "Open as recorded" in page.buttons


def test_a_search_that_takes_too_long_says_so(monkeypatch):
    run, _ = record("compact", prompt_helper=helper(chunk_overlap_ratio=0.25))
    calls_apart(monkeypatch, took_too_much)
    assert "Not all settings were tried." in Trace().show(run).text
