"""Custom synthesizers come in by the name of their module."""

import sys

import pytest

from synth import get_response_synthesizer
from synth.errors import SynthError
from synth.modes import plugins


def test_a_module_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setenv("SYNTH_PLUGINS", "no_such_module_anywhere")
    with pytest.raises(SynthError, match=r"no_such_module_anywhere.*PYTHONPATH"):
        plugins.load()


def test_nothing_named_is_nothing_loaded(monkeypatch):
    monkeypatch.delenv("SYNTH_PLUGINS", raising=False)
    assert plugins.load() == []


def test_loading_twice_is_no_clash(vote, monkeypatch):
    monkeypatch.setenv("SYNTH_PLUGINS", " vote ,")
    del sys.modules["vote"]
    assert plugins.load() == ["vote"]
    assert get_response_synthesizer("vote").plan("why", ["a", "b"]).calls
