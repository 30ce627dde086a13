"""What programs before the one vocabulary of settings wrote is read: a database, files, links.

The files in `tests/ui/older` were written by such a program.
"""

import json
import sqlite3
from pathlib import Path

import pytest

from synth.export import links
from tests.ui.history.recorded import WORKSPACE
from tests.ui.page import Playground
from ui.history import history as opened
from ui.history import summaries, workspaces
from ui.history.database import ADDRESS
from ui.history.saved_run import load
from ui.history.summaries import Every, Filter
from ui.kept import files
from ui.kept.saving import Saver
from ui.kept.values import from_json
from ui.pages.compare.columns import Column
from ui.pages.compare.run_slots import RunSlot
from ui.session import keys
from ui.session.workspace import Registry, Workspace
from ui.settings.request import Request
from ui.settings.schema import DEFAULT

OLDER = Path(__file__).parents[1] / "older"
LINKS = json.loads((OLDER / "links.json").read_text("utf-8"))
LIMITS = {
    **{"mode": "refine", "behaviour": "llama_index", "context_window": 900, "num_output": 64},
    **{"chunk_overlap_ratio": 0.2, "chunk_size_limit": 300, "response_padding_size": 50},
    **{"tokenizer": "o200k_base", "structured_answer_filtering": True, "selection": "top"},
    **{"similarity_top_k": 2, "model": "recorded"},
}
MINE = "Mine, {tone}: {query_str} {existing_answer} {context_msg}"
TEXTS = {
    **{"model_name": "tiny", "temperature": 0.5, "seed": 7, "concurrency": 3, "timeout": 30},
    **{"cap_calls": 200, "cap_tokens": 300_000, "cap_dollars": 1.5},
    "query_str": "Who was told of the pump?",
    "refine_template": MINE,
    "refine_template_chat": True,
    "refine_template_system": "Be {tone}.",
    "text_qa_template": "Text: {context_str} {query_str}",
    "text_qa_template_measured": "Measured {context_str} {query_str}",
    "variables.tone": "dry",
}


@pytest.fixture
def history(tmp_path, monkeypatch):
    """The history of an older program."""
    database = sqlite3.connect(tmp_path / "h.sqlite3")
    database.executescript((OLDER / "history.sql").read_text("utf-8"))
    database.execute("PRAGMA secure_delete=OFF")
    database.execute("CREATE TABLE note AS SELECT 'Deleted long ago. ' || hex(zeroblob(9000)) text")
    database.execute("DROP TABLE note")
    database.close()
    assert b"Deleted long ago" in (tmp_path / "h.sqlite3").read_bytes()
    monkeypatch.setenv(ADDRESS, f"sqlite:///{tmp_path / 'h.sqlite3'}")
    monkeypatch.setattr(opened, "_opened", opened._Opened())
    yield opened.history()
    opened.history().close()


def check(values, *, mine):
    """The values are those that were written; with `mine` what only their owner gets too."""
    settings = values[keys.SETTINGS]
    wanted = LIMITS | TEXTS
    assert {path: settings.value(path) for path in wanted} == wanted
    assert [chunk.on for chunk in settings.chunks] == [True, False, True]
    assert settings.base_url == ("http://127.0.0.1:1/v1" if mine else "")
    first, second, _ = values[keys.COLUMNS]
    assert first.override("chunk_overlap_ratio") == 0.3
    assert first.override("response_padding_size") == 20
    assert second.override("variables.tone") == "wet"
    assert second.override("structured_answer_filtering")
    assert second.override("base_url") == ("http://127.0.0.1:2/v1" if mine else None)
    assert values[keys.TEMPLATE_SETS]["mine"]["refine_template_system"] == "Be short."
    if mine:
        before = values[keys.DISPLACED].before
        assert before["query_str"] == "Before?"
        assert before["text_qa_template_system"] == "Old."
        assert values[keys.DISPLACED].columns[0].override("context_window") == 700


def test_what_was_deleted_before_stands_in_no_file_any_more(history, tmp_path):
    assert not any(b"Deleted long ago" in file.read_bytes() for file in tmp_path.glob("h.sqlite3*"))


def test_a_saved_workspace_comes_back_and_is_saved_under_the_new_names(history):
    values = from_json(before := workspaces.load(history, "older"))
    check(values, mine=True)
    assert values[keys.SETTINGS].recorded_model == "gpt-4o"
    registry = Registry()
    saver, space = Saver(registry), Workspace("older", values)
    registry.restore(space)
    saver.note(space, before.keys())
    assert not saver.has_saved(space)
    assert saver.save()
    after = workspaces.load(history, "older")
    assert from_json(after) == values
    assert not {"window", "question", "variable tone"} & after.keys()


def test_saved_runs_come_back(history):
    named, first = summaries.found(history, Every.WORKSPACE, Filter()).runs
    request = load(history, Every.WORKSPACE, first.id).request
    assert (request.context_window, request.chunk_size_limit, request.mode) == (900, 300, "refine")
    assert dict(request.templates)["refine_template"] == (("system", "Be {tone}."), ("user", MINE))
    assert (named.name, named.note, named.pinned, named.calls) == ("A name", "a note", True, 2)
    run = load(history, WORKSPACE, named.id)
    assert run.request.text_chunks[1] == "Nobody asked \0 why \ud800, \U0001f600."
    assert [call.answer for call in run.trace.calls][-1] == named.answer == run.trace.response


def test_a_saved_comparison_and_what_was_learned_come_back(history):
    values = from_json(workspaces.load(history, WORKSPACE))
    assert values[keys.SETTINGS].base_url == "http://host/v1"
    assert values[keys.COLUMNS][1] == Column("B", (("mode", "compact"), ("context_window", 500)))
    assert values[keys.GUESSES] == {("why", 1, "q"): 3, ("why", 1, "r"): "text"}
    assert values[keys.LESSONS_DONE] == {"why", "cliff"}


def test_files_are_read():
    workspace = files.read((OLDER / "workspace.json").read_text("utf-8"))
    check(workspace.values, mine=False)
    assert workspace.gone == ("the judge of Compare", "reference answers")
    run = files.read((OLDER / "run.json").read_text("utf-8"))
    assert run.request.query_str == "Who was told of the pump?"
    comparison = files.read((OLDER / "comparison.json").read_text("utf-8"))
    assert comparison.runs[RunSlot("A")].request == run.request


def test_runs_of_the_table_of_all_modes_are_left_out_and_named():
    data = json.loads((OLDER / "comparison.json").read_text("utf-8"))
    data["runs"].append(data["runs"][0] | {"column": "refine"})
    comparison = files.read(json.dumps(data))
    assert [*comparison.runs] == [RunSlot("A")]
    assert comparison.gone == ("the table of all modes",)


@pytest.mark.slow
def test_links_are_read():
    check(files.read(links.unpacked(LINKS["workspace"])).values, mine=False)
    settings = Playground().open(**LINKS["settings"]).settings
    assert settings.changed == LIMITS
    assert Request.of(settings) != Request.of(DEFAULT)
