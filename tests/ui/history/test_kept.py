"""A workspace saves itself, and comes back on another server by its id alone."""

import json

import pytest
import streamlit as st

from synth.calls import Logged
from synth.default_prompts import DEFAULTS
from tests.ui.page import Playground
from ui.compare.columns import TEMPLATE_SET, Column
from ui.controls.handover import Displaced
from ui.history import workspaces
from ui.kept import saving
from ui.kept.saving import Refused, Saver
from ui.kept.values import from_json, kept, to_json
from ui.run.runs import Runs
from ui.session import keys, own_machine, workspace
from ui.session.workspace import Registry, Workspace
from ui.settings import state
from ui.settings.chunk_list import Chunk
from ui.settings.names import VARIABLE
from ui.settings.recorded import Recorded

CHUNKS = (Chunk("one \ud800", "pasted"), Chunk("two", "a file", on=False))
VALUES = {
    "question": "Why?",
    "chunks": CHUNKS,
    "mode": "refine",
    "window": 900,
    "temperature": 0.5,
    "cap_calls": 12,
    "filtering": True,
    "text_qa_template": "Mine: {context_str} {query_str}",
    "text_qa_template chat": True,
    f"{VARIABLE}tone": "dry",
    keys.SAVED_QUESTIONS: ("Why?", "How?"),
    keys.TEMPLATE_SETS: {"mine": dict.fromkeys(DEFAULTS, "x") | {"refine_template chat": True}},
    keys.COLUMNS: (
        Column("A", (("mode", "compact"), ("window", 512), (TEMPLATE_SET, "mine"))),
        Column("B", (("model", "endpoint"), ("temperature", 0.0), (f"{VARIABLE}tone", "wet"))),
    ),
    keys.QUESTIONS: "One?\nTwo?",
    keys.REPEATS: 3,
    keys.DISPLACED: Displaced(
        "a trace", {"chunks": CHUNKS, "window": 800}, {"window": 300}, "trace"
    ),
    keys.RECORDED: Recorded("gpt-4o", {1: Logged("hash", "So.", output_tokens=2, seconds=0.5)}),
    keys.FACTS: {"Why?": "* the seal was worn | a worn seal"},
    keys.REFERENCES: {"Why?": "A seal was worn."},
    keys.EXPECTED: "8 instead of 80",
    keys.EXPECTED_OF: "What was the pool set to?",
    keys.LESSON: {"lesson": "lost", "seed": "3"},
    keys.GUESSES: {("lost", 3, "5"): "yes", ("fits", 0, "1"): 4},
    keys.LESSONS_DONE: frozenset({"lost", "fits"}),
}


def test_every_kept_value_comes_back_as_it_was():
    assert kept(VALUES) == VALUES
    data = json.loads(json.dumps(to_json(VALUES)))
    back = from_json(data)
    assert back == VALUES
    assert {name: type(value) for name, value in back.items()} == {
        name: type(value) for name, value in VALUES.items()
    }


def test_an_input_that_was_saved_without_its_origin_is_that_of_a_lesson():
    assert from_json({keys.DISPLACED: ["a lesson", {}, {"window": 300}]}) == {
        keys.DISPLACED: Displaced("a lesson", {}, {"window": 300}, "lesson")
    }


def test_every_setting_is_kept_unless_it_is_at_its_default():
    for setting in state.SETTINGS.values():
        assert kept({setting.name: object()})
    assert not kept({setting.name: setting.default for setting in state.SETTINGS.values()})


def test_what_is_not_listed_is_not_kept():
    others = {keys.PASTE: 1, keys.PERSON: 2, keys.LAST_CHANGE: 3, "api_key": "sk"}
    assert kept(others | {"key for http://a": "sk", TEMPLATE_SET: "x"}) == {}


def test_an_address_is_kept_without_what_may_be_a_secret():
    address = "https://me:PASSWORD@host/v1?api-key=PASSWORD#PASSWORD"
    columns = Column("A", (("base_url", address), ("api_key", "PASSWORD"))), Column("B", ())
    displaced = Displaced("t", {"base_url": address}, {"base_url": address, "api_key": "PASSWORD"})
    data = to_json({"base_url": address, keys.COLUMNS: columns, keys.DISPLACED: displaced})
    assert "PASSWORD" not in json.dumps(data)
    assert data["base_url"] == "https://host/v1"
    first, _ = from_json(data)[keys.COLUMNS]
    assert first == Column("A", (("base_url", "https://host/v1"),))


@pytest.mark.parametrize(
    "data",
    [
        {"window": "wide"},
        {"chunks": [["text"]]},
        {"chunks": 7},
        {"mode": "a mode that is gone"},
        {"mode": ["compact"]},
        {keys.COLUMNS: [["A", {"mode": "a mode that is gone"}]]},
        {keys.COLUMNS: [["A"]]},
        {keys.COLUMNS: None},
        {keys.GUESSES: {"a": 1}},
        {keys.LESSONS_DONE: 5},
        {"api_key": "sk"},
        {"no such name": 1},
    ],
)
def test_what_cannot_be_read_is_left_out_and_the_rest_comes_back(data):
    assert from_json(data | {"question": "Why?"}) == {"question": "Why?"}


def test_what_changes_is_saved_and_nothing_else(history, monkeypatch):
    registry = Registry()
    saver, space = Saver(registry), registry.find(None)
    written = []
    save = workspaces.save
    monkeypatch.setattr(
        workspaces, "save", lambda *args: written.append(sorted(args[2])) or save(*args)
    )
    saver.save()
    space.values.update(VALUES)
    saver.save()
    saver.save()
    space.values["window"] = 901
    del space.values["cap_calls"]
    space.values["mode"] = "compact"  # the default
    saver.save()
    assert written == [sorted(VALUES), ["window"]]
    rest = {name: value for name, value in VALUES.items() if name not in ("cap_calls", "mode")}
    assert from_json(workspaces.load(history, space.id)) == rest | {"window": 901}
    assert workspaces.latest(history) == space.id


def test_what_could_not_be_saved_is_saved_later(history, monkeypatch):
    registry = Registry()
    saver, space = Saver(registry), registry.find(None)
    space.values.update(VALUES)
    with monkeypatch.context() as patch:
        problem = saving.HistoryError("no room")
        patch.setattr(saving.opened, "history", lambda: problem)
        saver.save()
    assert space.holding(Refused).problem is problem
    assert space.busy  # it must not leave memory
    assert workspaces.load(history, space.id) == {}
    assert saver.save()
    assert space.holding(Refused).problem is None
    assert not space.busy
    assert from_json(workspaces.load(history, space.id)) == VALUES


@pytest.fixture
def new_server(monkeypatch):
    """Forget what a server has in memory, now and whenever it is called.

    Nothing is saved by itself: the thread of one test's server would save during the next test.
    """
    monkeypatch.setattr(saving.Saver, "start", lambda self: None)

    def forget():
        st.cache_resource.clear()

    forget()
    yield forget
    forget()


def workspace_of(**params) -> Workspace:
    """The workspace of a tab that opens the page with these parameters."""
    page = Playground().open(**{"w": "", **params})
    return workspace.registry().spaces[page.at.query_params["w"]]


def test_a_page_comes_back_on_another_server_with_its_inputs_and_its_run(history, new_server):
    first = Playground(question="What was the pool?", mode="refine").finish()
    first.set(window=900)
    saving.saver().save()
    new_server()
    back = Playground().open(w=first.space.id)
    assert back.at.query_params["w"] == first.space.id
    assert back.draw().text == first.draw().text  # the first draw of a tab also folds the sidebar
    space = workspace.registry().spaces[first.space.id]
    assert space is not first.space
    assert space.values["window"] == 900
    assert space.holding(Runs).job.trace == first.job.trace


OFF = (Chunk("one", "test"), Chunk("two", "test", on=False), Chunk("three", "test"))


@pytest.mark.parametrize(
    ("edits", "chunks_saved"),
    [
        ({"question": "Who?", "mode": "refine", "window": 900}, False),
        ({"chunks": OFF}, False),
        ({"chunks": OFF, "selection": "top", "top_k": 1, "question": "three?"}, True),
        ({"text_qa_template": "Mine: {context_str} {query_str}"}, False),
        ({"model": "endpoint", "base_url": "http://127.0.0.1:1/v1", "model_name": "m"}, False),
    ],
    ids=str,
)
def test_a_run_that_is_newer_than_the_saved_inputs_is_shown_with_its_own(
    history, new_server, edits, chunks_saved
):
    """As after a kill in the seconds between the two."""
    page = Playground(question="Before?", temperature=0.5)
    if chunks_saved:
        page.space.values["chunks"] = edits["chunks"]
    saving.saver().save()
    page.space.values.update(edits)
    page.open()
    page.press("run_button")
    page.job.wait()
    new_server()
    back = Playground().open(w=page.space.id)
    space = workspace.registry().spaces[page.space.id]
    job = space.holding(Runs).job
    assert job.run == page.job.run
    assert job.request.query == page.job.request.query
    assert keys.PLAN_FIRST not in back.at.session_state  # the run is shown, and not a plan
    assert "out of date" not in back.text
    assert space.values["temperature"] == 0.5
    if chunks_saved:
        assert space.values["chunks"] == OFF


def test_inputs_that_are_newer_than_the_run_come_back_as_they_were(history, new_server):
    page = Playground(question="Before?").finish()
    page.set(question="After?")
    saving.saver().save()
    new_server()
    back = Playground().open(w=page.space.id)
    assert workspace.registry().spaces[page.space.id].values["question"] == "After?"
    assert "out of date" in back.text


def test_nobody_comes_by_a_workspace_without_its_id(history, new_server):
    workspaces.save(history, "mine", to_json(VALUES))
    for params in ({}, {"w": "guessed"}, {"w": "new"}, {"w": "min"}, {"w": "%"}):
        space = workspace_of(**params)
        assert space.id not in ("mine", *params.values())
        assert space.values["cap_calls"] is None


def test_on_ones_own_machine_alone_the_app_opens_where_it_was_left(
    history, new_server, monkeypatch
):
    workspaces.save(history, "mine", to_json(VALUES))
    monkeypatch.setattr(own_machine, "is_this", lambda: True)
    assert workspace_of().id == "mine"
    assert workspace_of().values["cap_calls"] == 12
    assert workspace_of(w="new").id != "mine"
    linked = workspace_of(mode="refine")
    assert linked.id != "mine"
    assert linked.values["mode"] == "refine"
