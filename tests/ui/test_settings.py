"""Each setting is one field of the schema, and has its place."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from synth.export.files import pack
from synth.llms import FunctionLLM
from synth.modes.registry import MODES
from synth.prompts.templates import DEFAULTS
from synth.runs.llm import Completion
from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Playground, endpoint
from tests.ui.test_compare import Compare
from ui.export.report_pages import list_settings, run_html
from ui.export.run_files import calls_table
from ui.pages.compare.columns import Column
from ui.session import keys
from ui.settings.request import Request, changes
from ui.settings.schema import TEMPLATES, Settings
from ui.store import rows
from ui.store.rows import Run, RunInfo
from ui.workspaces import files

WITHOUT_A_FIELD_OF_ITS_OWN = {
    "mode": "each mode has a card",
    "chunks": "the table and its editor change one chunk at a time",
    "variables": "each has a field of its own once a template has it",
    "prices": "two fields and a choice, for the model that is chosen",
    "recorded_model": "comes with the trace whose answers are taken",
    **dict.fromkeys(
        (f"{name}_measured" for name in DEFAULTS), "comes with a trace; a button takes it back"
    ),
}


@pytest.mark.slow
def test_every_setting_has_a_field():
    page = Playground(model="endpoint", base_url="http://127.0.0.1:1/v1")
    keys = set()
    for one in ("model", "cap_dollars"):
        page.reach(one)
        keys.update(page.keys)
    one_mode = {name: mode for mode in MODES for name in MODES[mode].templates}
    for name, mode in one_mode.items():
        page = Playground(mode=mode, selection="top", **{f"{name}_chat": True})
        for one in ("similarity_top_k", "context_window", name):
            page.reach(one)
            keys.update(page.keys)
        names = dict.fromkeys((*MODES[mode].templates, *TEMPLATES))
        page.set(**{f"template of {', '.join(names)}": name})
        keys.update(page.keys)
    assert Settings.model_fields.keys() - keys == WITHOUT_A_FIELD_OF_ITS_OWN.keys()


UI = Path(__file__).parents[2] / "ui"
NAME = "reasoning_effort"


def test_it_is_named_where_it_is_described_and_where_it_is_drawn():
    named = [path for path in UI.rglob("*.py") if NAME in path.read_text("utf-8")]
    assert {path.name for path in named} == {"schema.py", "model.py", "model_menu.py"}


@pytest.mark.slow
def test_it_is_sent_reported_shared_and_comes_back():
    with FakeOpenAI(Answer("So it is.")) as server:
        page = endpoint(server)
        before = Request.of(page.finish().settings)
        assert NAME not in server.requests[-1].body
        page.enter(NAME, "low").finish()
    room = page.settings.num_output // 4  # a fifth of a reply
    assert changes(before, Request.of(page.settings)) == [
        f"room for reasoning 0 → {room}",
        "reasoning effort not sent → low",
    ]
    assert server.requests[-1].body[NAME] == "low"
    run = Run(RunInfo(), page.job.request, page.job.trace)
    assert files.read(rows.write_file(run)).request.model.options == ((NAME, "low"),)
    assert ("reasoning effort", "low") in list_settings(run.request)
    assert "reasoning effort" in run_html(run, datetime.now(UTC))
    text = files.write(page.space.values, None)
    assert Playground().open(w="", open=pack(text)).find(NAME).value == "low"


@pytest.mark.slow
def test_a_column_has_its_own_and_may_send_none():
    columns = Column("A", ((NAME, ""),)), Column("B", ())
    page = Compare(model="endpoint", model_name="m", columns=columns, **{NAME: "low"})
    assert re.findall("reasoning effort ([a-z ]+)</div>", page.text)[:2] == ["not sent", "low"]
    shared = files.read(files.write(page.space.values))
    assert shared[keys.COLUMNS] == columns


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
    assert '<details><summary class="head num">Reasoning, 312 tokens' in page.text
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
    assert "failed" in page.text
    assert "What the model wrote" not in page.text
    assert page.text.count(THOUGHT) == 1
    report = run_html(Run(RunInfo(), page.job.request, page.job.trace), datetime.now(UTC))
    assert report.count(THOUGHT) == 1


@pytest.mark.slow
def test_the_view_of_a_run_is_in_the_address_but_for_the_first():
    page = Playground(mode="refine").finish(view="picture")
    assert "view" not in page.at.query_params
    assert page.set(view="calls").at.query_params["view"] == "calls"
    assert "view" not in page.set(view="steps").finish(view="picture").at.query_params
    assert "coverage" in page.open(view="coverage").keys
    assert "picture" in page.open(view="timeline").keys  # which there is no more


@pytest.mark.slow
def test_a_link_opens_a_view_of_compare_and_one_that_is_gone_opens_the_columns():
    page = Compare()
    page.open(compare_view="chart")
    assert "There is nothing to show yet." in page.text
    for gone in ("modes", "facts", "trade_off", "judge"):
        page = Compare()
        page.open(compare_view=gone)
        assert page.at.session_state["compare_view"] == "columns"


@pytest.mark.slow
def test_no_value_in_the_address_breaks_the_page():
    page = Playground(mode="refine").finish()
    for wrong in ("9" * 5_000, "1e999", "-Infinity", "nan", "noon", "", "\0", "-1", "²"):
        assert page.open(view="steps", step=wrong).at.query_params["step"].isdecimal()
        assert "tokens" in page.open(view=wrong).text
