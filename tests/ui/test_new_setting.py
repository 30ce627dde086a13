"""A setting is one field of the schema and its place in a panel; all else follows from it."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from synth.export import links
from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Page, Playground, endpoint
from ui.export.report_pages import run_html
from ui.export.reported import settings
from ui.kept import files
from ui.kept.files import WorkspaceFile
from ui.session import keys
from ui.settings.changes import changes
from ui.settings.request import Request
from ui.store import run_json
from ui.store.run_json import Run
from ui.store.tables import RunInfo

pytestmark = pytest.mark.slow

UI = Path(__file__).parents[2] / "ui"
NAME = "reasoning_effort"


class _Compare(Page):
    script = "pages/compare.py"


def test_it_is_named_where_it_is_described_and_where_it_is_drawn():
    named = [path for path in UI.rglob("*.py") if NAME in path.read_text("utf-8")]
    assert {path.name for path in named} == {"schema.py", "model_choice.py"}


def test_it_is_sent_reported_shared_and_comes_back():
    with FakeOpenAI(Answer("So it is.")) as server:
        page = endpoint(server)
        before = Request.of(page.settings)
        page.enter(NAME, "low").finish()
    assert changes(before, Request.of(page.settings)) == ["reasoning effort not sent → low"]
    assert server.requests[-1].body[NAME] == "low"
    run = Run(RunInfo(), page.job.request, page.job.trace)
    assert files.read(run_json.write_file(run)).request.model.options == ((NAME, "low"),)
    assert ("reasoning effort", "low") in settings(run)
    assert "reasoning effort" in run_html(run, datetime.now(UTC))
    text = files.written(WorkspaceFile(page.space.values), None)
    assert Playground().open(w="", open=links.pack(text)).find(NAME).value == "low"


def test_a_column_has_its_own():
    page = _Compare(model="endpoint", model_name="m", **{NAME: "low"}).press("edit_columns")
    first, second, *_ = page.enter(f"own {NAME} of A", "high").space.values[keys.COLUMNS]
    assert (first.override(NAME), second.override(NAME)) == ("high", None)
    assert re.findall("reasoning effort ([a-z]+)</div>", page.text)[:2] == ["high", "low"]
    shared = files.read(files.written(WorkspaceFile(page.space.values))).values
    assert shared[keys.COLUMNS] == (first, second, *_)
