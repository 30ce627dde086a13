"""Each setting is one field of the schema and its place in a panel; and the names that it had."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from synth.export import links
from synth.modes.registry import MODES
from synth.prompts.defaults import DEFAULTS
from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Page, Playground, endpoint
from ui.export.report_pages import list_settings, run_html
from ui.pages.compare.columns import Column
from ui.session import keys
from ui.settings.by_name import rename
from ui.settings.request import Request, changes
from ui.settings.schema import TEMPLATES, Settings
from ui.store import run_json
from ui.store.run_json import Run
from ui.store.tables import RunInfo
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
    for mode in MODES:
        names = MODES[mode].templates
        for name in names:
            page = Playground(mode=mode, selection="top", **{f"{name}_chat": True})
            for one in ("similarity_top_k", "context_window", name):
                page.reach(one)
                keys.update(page.keys)
            page.set(**{f"template of {', '.join(dict.fromkeys((*names, *TEMPLATES)))}": name})
            keys.update(page.keys)
    assert Settings.model_fields.keys() - keys == WITHOUT_A_FIELD_OF_ITS_OWN.keys()


def test_a_template_had_dotted_names_and_names_with_spaces():
    for name, (text, chat, system, measured) in TEMPLATES.items():
        for before, part in ((text, "text"), (chat, "chat"), (system, "system")):
            assert rename(f"templates.{name}.{part}") == before
        assert rename(name) == text
        assert rename(f"{name} measured") == measured
    assert rename("variable tone") == rename("variables.tone") == "variables.tone"


UI = Path(__file__).parents[2] / "ui"
NAME = "reasoning_effort"


class _Compare(Page):
    script = "pages/compare.py"


def test_it_is_named_where_it_is_described_and_where_it_is_drawn():
    named = [path for path in UI.rglob("*.py") if NAME in path.read_text("utf-8")]
    assert {path.name for path in named} == {"schema.py", "model_menu.py"}


@pytest.mark.slow
def test_it_is_sent_reported_shared_and_comes_back():
    with FakeOpenAI(Answer("So it is.")) as server:
        page = endpoint(server)
        before = Request.of(page.finish().settings)
        assert NAME not in server.requests[-1].body
        page.enter(NAME, "low").finish()
    assert changes(before, Request.of(page.settings)) == ["reasoning effort not sent → low"]
    assert server.requests[-1].body[NAME] == "low"
    run = Run(RunInfo(), page.job.request, page.job.trace)
    assert files.read(run_json.write_file(run)).request.model.options == ((NAME, "low"),)
    assert ("reasoning effort", "low") in list_settings(run)
    assert "reasoning effort" in run_html(run, datetime.now(UTC))
    text = files.write(page.space.values, None)
    assert Playground().open(w="", open=links.pack(text)).find(NAME).value == "low"


@pytest.mark.slow
def test_a_column_has_its_own_and_may_send_none():
    columns = Column("A", ((NAME, ""),)), Column("B", ())
    page = _Compare(model="endpoint", model_name="m", columns=columns, **{NAME: "low"})
    assert re.findall("reasoning effort ([a-z ]+)</div>", page.text)[:2] == ["not sent", "low"]
    shared = files.read(files.write(page.space.values))
    assert shared[keys.COLUMNS] == columns
