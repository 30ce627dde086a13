"""Custom synthesizers come in by the name of their module."""

import sys

import pytest

from synth import get_response_synthesizer
from synth.errors import SynthError
from synth.llms import FunctionLLM
from synth.modes import plugins
from synth.modes.registry import MODES

STEPS = """
from synth import BaseSynthesizer, register

@register
class FirstOnly(BaseSynthesizer):
    mode = "first_only"
    templates = ("text_qa_template",)

    def steps(self, query_str, texts, **variables):
        filled = self.filled("text_qa_template", query_str=query_str, **variables)
        [answer] = yield [self.call(filled, texts[0], final=True)]
        return answer.text
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "my_modes.py").write_text(STEPS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("SYNTH_PLUGINS", " my_modes ,")
    yield
    sys.modules.pop("my_modes", None)
    MODES.pop("first_only", None)


@pytest.mark.usefixtures("module")
def test_registered_modes_can_be_asked_for_by_name():
    assert plugins.load() == ["my_modes"]
    llm = FunctionLLM(lambda prompt: "yes")
    steps = get_response_synthesizer("first_only", llm)
    assert steps.plan("why", ["a", "b"]).call_count == 1
    assert steps.get_response("why", ["a", "b"]) == "yes"


@pytest.mark.usefixtures("module")
def test_loading_twice_is_no_clash():
    plugins.load()
    del sys.modules["my_modes"]
    assert plugins.load() == ["my_modes"]


def test_a_module_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setenv("SYNTH_PLUGINS", "no_such_module_anywhere")
    with pytest.raises(SynthError, match=r"no_such_module_anywhere.*PYTHONPATH"):
        plugins.load()


def test_nothing_named_is_nothing_loaded(monkeypatch):
    monkeypatch.delenv("SYNTH_PLUGINS", raising=False)
    assert plugins.load() == []
