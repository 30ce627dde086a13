"""A further setting is one field of the schema, and its place in the sidebar.

Compare's editor of columns follows from the schema.

The test adds a setting to a copy of the app, whose pages then run in a process of their own.
"""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from shutil import copy, copytree

import pytest
import streamlit as st

from synth.export import links
from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Page, Playground, endpoint
from ui.export.report_pages import run_html
from ui.export.reported import settings
from ui.kept import files, saving
from ui.kept.files import WorkspaceFile
from ui.session import keys, workspace
from ui.settings.changes import changes
from ui.settings.request import Request
from ui.store import run_json
from ui.store.run_json import Run
from ui.store.tables import RunInfo

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SHOWN = 'FieldSpec("Top p", short="top_p", step=0.05, form="{:g}", column="endpoint", sent=True)'
ADDED = {  # in which file, before which line, and what
    "ui/settings/schema.py": (
        "    seed: Annotated[",
        f"    top_p: Annotated[float | None, Field(ge=0.0, le=1.0), {SHOWN}] = None\n",
    ),
    "ui/controls/model_choice.py": (
        'state.field("concurrency", here)',
        'state.field("top_p", here)\n        ',
    ),
}


def test_a_further_setting_is_one_field_and_its_places(tmp_path):
    for folder in ("pages", "synth", "tests", "ui"):
        copytree(ROOT / folder, tmp_path / folder)
    copy(ROOT / "app.py", tmp_path)
    for name, (line, added) in ADDED.items():
        before, _, after = (tmp_path / name).read_text("utf-8").partition(line)
        (tmp_path / name).write_text(before + added + line + after, "utf-8")
    database = f"sqlite:///{tmp_path / 'history.sqlite3'}"
    env = os.environ | {"PYTHONPATH": str(tmp_path), "SYNTH_DATABASE_URL": database}
    command = [sys.executable, "-m", "tests.ui.test_new_setting"]
    pages = subprocess.run(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, check=False)
    assert pages.returncode == 0, pages.stderr.decode()


class _Compare(Page):
    script = "pages/compare.py"


def _follows_from_the_schema():
    with FakeOpenAI(Answer("So it is.")) as server:
        page = endpoint(server)
        _has_a_widget_with_bounds(page)
        _is_in_the_address(page)
        _is_sent_and_reported(page.finish(), server)
        _is_of_a_column(server)
        _comes_back(page)


def _has_a_widget_with_bounds(page):
    widget = page.at.number_input(key="top_p")
    assert (widget.value, widget.min, widget.max) == (None, 0, 1)
    before = Request.of(page.settings)
    widget.set_value(0.5)
    assert page.draw().settings.top_p == 0.5
    [change] = changes(before, Request.of(page.settings))
    assert change == "top p none → 0.5"


def _is_in_the_address(page):
    assert page.at.query_params["top_p"] == "0.5"
    linked = Playground(model="endpoint").open(top_p="0.25")
    assert linked.at.number_input(key="top_p").value == 0.25
    assert Playground().open(top_p="7").settings.top_p is None


def _is_sent_and_reported(page, server):
    assert server.requests[-1].body["top_p"] == 0.5
    file = Run(RunInfo(), page.job.request, page.job.trace)
    assert files.read(run_json.write_file(file)).request.model.options == (("top_p", 0.5),)
    assert ("top p", "0.5") in settings(file)
    assert "top p" in run_html(file, datetime.now(UTC))


def _is_of_a_column(server):
    page = _Compare(model="endpoint", base_url=server.base_url, model_name="m", top_p=0.5)
    page.press("edit_columns")
    first, second, *_ = page.enter("own top_p of A", 0.75).space.values[keys.COLUMNS]
    assert (first.override("top_p"), second.override("top_p")) == (0.75, None)
    assert re.findall("top p ([0-9.]+)</div>", page.text)[:2] == ["0.75", "0.5"]
    shared = files.read(files.written(WorkspaceFile(page.space.values))).values
    assert shared[keys.COLUMNS] == (first, second, *_)


def _comes_back(page):
    text = files.written(WorkspaceFile(page.space.values), None)
    opened = Playground().open(w="", open=links.packed(text))
    assert opened.at.number_input(key="top_p").value == 0.5
    saving.saver().save()
    st.cache_resource.clear()  # as after a restart of the server
    back = Playground().open(w=page.space.id)
    assert workspace.registry().spaces[page.space.id] is not page.space
    assert back.at.number_input(key="top_p").value == 0.5


if __name__ == "__main__":
    _follows_from_the_schema()
