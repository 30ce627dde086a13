"""How hard a model is to think, and what the pages show of its thoughts."""

from datetime import UTC, datetime

import pytest

from synth.llms import FunctionLLM
from synth.runs.steps import Completion
from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Playground, endpoint
from ui.export.report_pages import run_html
from ui.export.share import calls_table
from ui.store.run_json import Run
from ui.store.tables import RunInfo

THOUGHT = "First I look at the pump, then at the alarm."


class Thinker(FunctionLLM):
    """A model that thinks before its answer; a server counts it, if `tokens` are given."""

    def __init__(self, tokens, cached):
        super().__init__(str, 1_024)
        self.said = Completion(
            "The pump.",
            output_tokens=tokens and tokens + 3,
            reasoning=THOUGHT,
            reasoning_tokens=tokens,
            cached_tokens=cached,
        )

    def complete(self, prompt, schema=None):
        return self.said


@pytest.fixture
def thinks(monkeypatch):
    """A run on the Playground by such a model, shown in Calls."""

    def run(tokens=312, cached=128):
        llm = Thinker(tokens, cached)
        monkeypatch.setattr("ui.runs.start.model_for", lambda settings, **more: llm)
        return Playground().finish().set(view="calls", call=1)

    return run


def test_reasoning_is_folded_beside_the_budget_and_in_no_answer(thinks):
    page = thinks()
    [fold] = [one for one in page.at.expander if "Reasoning" in one.label]
    assert (fold.label, fold.proto.expanded) == ("Reasoning, 312 tokens", False)
    assert "cached <b>128</b>" in page.text
    assert "reasoning <b>312</b>" in page.text
    assert THOUGHT not in page.set(view="answer").text
    table = calls_table(page.job.trace)
    assert [*table["reasoning"]] == [THOUGHT] * len(table)
    assert [*table["reasoning_tokens"]] == [312] * len(table)
    report = run_html(Run(RunInfo(), page.job.request, page.job.trace), datetime.now(UTC))
    assert report.count("Reasoning, 312 tokens") == report.count(THOUGHT) == len(table)
    assert "128 cached · 312 reasoning" in report


def test_a_reply_of_reasoning_alone_shows_it_folded_alone():
    with FakeOpenAI(Answer(f"<think>{THOUGHT}</think>")) as server:
        page = endpoint(server).finish().set(view="calls", call=1)
    assert "This call failed." in page.text
    assert "The part of the answer" not in page.text
    assert page.text.count(THOUGHT) == 1
    report = run_html(Run(RunInfo(), page.job.request, page.job.trace), datetime.now(UTC))
    assert report.count(THOUGHT) == 1
