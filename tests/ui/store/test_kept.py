"""A workspace saves itself, whatever happens, and comes back on another server by its id alone."""

import json
import threading

import pytest
import streamlit as st

from synth.modes.registry import MODES
from synth.runs.calls import Logged
from tests.ui.page import Playground, comes_back, settings_in
from tests.ui.store.recorded import ended, reply, request_of, run
from ui.pages.compare.columns import Column
from ui.runs.start import Runs
from ui.session import browser, keys, workspace
from ui.session.workspace import Registry, Workspace
from ui.settings.schema import DEFAULT, PLAIN, Chunk
from ui.store import runs as saved_runs
from ui.store.store import StoreError, current_store
from ui.workspaces import saving
from ui.workspaces.files import from_json, select_saved, to_json
from ui.workspaces.saving import Saver

CHUNKS = (Chunk("one \ud800", "pasted"), Chunk("two", "a file", on=False))
SETTINGS = {
    "query_str": "Why?",
    "chunks": CHUNKS,
    "mode": "refine",
    "context_window": 900,
    "temperature": 0.5,
    "reasoning_effort": "low",
    "cap_calls": 12,
    "structured_answer_filtering": True,
    "text_qa_template": "Mine: {context_str} {query_str}",
    "text_qa_template_chat": True,
    "variables.tone": "dry",
}
VALUES = {
    keys.SETTINGS: DEFAULT.with_(SETTINGS),
    keys.TEMPLATE_SETS: {"mine": {"refine_template": "x", "refine_template_chat": True}},
    keys.COLUMNS: (
        Column("A", (("mode", "compact"), ("context_window", 512))),
        Column("B", (("model", "endpoint"), ("temperature", 0.0), ("variables.tone", "wet"))),
    ),
    keys.QUESTIONS: "One?\nTwo?",
    keys.REPEATS: 3,
    keys.RECORDED: {1: Logged("hash", "So.", output_tokens=2, seconds=0.5)},
    keys.FACTS: {"Why?": "* the seal was worn | a worn seal"},
    keys.EXPECTED: "8 instead of 80",
    keys.EXPECTED_OF: "What was the pool set to?",
    keys.LESSON: {"lesson": "lost", "seed": "3"},
    keys.GUESSES: {("lost", 3, "5"): "yes", ("fits", 0, "1"): 4},
    keys.LESSONS_DONE: frozenset({"lost", "fits"}),
}


DATABASES = ["sqlite"]  # what is tested here stands above the database


def test_every_kept_value_comes_back_as_it_was():
    assert select_saved(VALUES).keys() == SETTINGS.keys() | VALUES.keys() - {keys.SETTINGS}
    back = comes_back(VALUES)
    assert back == VALUES
    assert {name: type(value) for name, value in back.items()} == {
        name: type(value) for name, value in VALUES.items()
    }


def test_every_setting_is_kept_unless_it_is_at_its_default():
    for name in (*PLAIN, "refine_template_chat", "variables.tone"):
        assert select_saved({keys.SETTINGS: DEFAULT.with_({name: object()})}).keys() == {name}
    assert not select_saved({keys.SETTINGS: DEFAULT})


def test_what_is_not_listed_is_not_kept():
    others = {keys.PASTE_OUTCOME: 1, keys.CHANGES: 3, "api_key": "sk"}
    assert select_saved(others | {"key for http://a": "sk"}) == {}


def test_an_address_is_kept_without_what_may_be_a_secret():
    address = "https://me:PASSWORD@host/v1?api-key=PASSWORD#PASSWORD"
    columns = Column("A", (("base_url", address), ("api_key", "PASSWORD"))), Column("B", ())
    data = to_json({"base_url": address, keys.COLUMNS: columns})
    assert "PASSWORD" not in json.dumps(data)
    assert data["base_url"] == "https://host/v1"
    first, _ = from_json(data)[keys.COLUMNS]
    assert first == Column("A", (("base_url", "https://host/v1"),))


@pytest.mark.parametrize(
    "data",
    [
        {"context_window": "wide"},
        {"chunks": [["text"]]},
        {"chunks": 7},
        {"mode": "a mode that is gone"},
        {"mode": ["compact"]},
        {keys.COLUMNS: [["A", {"mode": "a mode that is gone"}]]},
        {keys.COLUMNS: [["A"]]},
        {keys.COLUMNS: None},
        {keys.GUESSES: {"a": 1}},
        {keys.LESSONS_DONE: 5},
        {keys.QUESTION_SET: "no set"},
        {keys.RATINGS: {"a": {"thumb": None, "note": "x" * 10_001}}},
        {"api_key": "sk"},
        {"no such name": 1},
    ],
)
def test_what_cannot_be_read_is_left_out_and_the_rest_comes_back(data):
    only = {keys.SETTINGS: DEFAULT.with_({"query_str": "Why?"})}
    assert from_json(data | {"query_str": "Why?"}) == only


def test_a_workspace_is_saved_when_it_has_changed_and_at_no_other_time(store, monkeypatch):
    registry = Registry()
    saver, space = Saver(registry, store), registry.find(None)
    written = []
    save = saved_runs.save_workspace

    def noted(database, id, values):
        written.append(values.keys())
        save(database, id, values)

    monkeypatch.setattr(saved_runs, "save_workspace", noted)
    saver.save()
    space.values.update(VALUES)
    saver.save()
    saver.save()
    changes = {"context_window": 901, "cap_calls": None, "mode": "compact"}  # two defaults
    changed = DEFAULT.with_(SETTINGS).with_(changes)
    space.values[keys.SETTINGS] = changed
    saver.save()
    assert written == [select_saved(VALUES).keys(), select_saved(space.values).keys()]
    found = from_json(saved_runs.load_workspace(store, space.id))
    assert found == VALUES | {keys.SETTINGS: changed}
    assert saved_runs.find_latest_workspace(store) == space.id


@pytest.fixture
def new_server():
    def forget():
        st.cache_resource.clear()

    forget()
    yield forget
    forget()


def workspace_of(**params) -> Workspace:
    page = Playground().open(**{"w": "", **params})
    return workspace.registry().spaces[page.at.query_params["w"]]


@pytest.mark.slow
def test_inputs_that_are_newer_than_the_run_come_back_as_they_were(store, new_server):
    page = Playground(query_str="Before?").finish()
    page.set(query_str="After?")
    saving.saver().save()
    new_server()
    back = Playground().open(w=page.space.id)
    assert settings_in(workspace.registry().spaces[page.space.id]).query_str == "After?"
    assert "out of date" in back.text


@pytest.mark.slow
@pytest.mark.usefixtures("vote")
def test_a_workspace_comes_back_without_a_run_that_can_not_be_read(store, new_server):
    page = Playground(query_str="Before?", mode="vote").finish()
    saving.saver().save()
    new_server()
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(MODES, "vote")
        Playground().open(w=page.space.id)
    space = workspace.registry().spaces[page.space.id]
    assert settings_in(space).query_str == "Before?"
    assert space.holding(Runs).job is None


@pytest.mark.slow
def test_nobody_comes_by_a_workspace_without_its_id(store, new_server):
    saved_runs.save_workspace(store, "mine", to_json(select_saved(VALUES)))
    for params in ({}, {"w": "guessed"}, {"w": "new"}, {"w": "min"}, {"w": "%"}):
        space = workspace_of(**params)
        assert space.id not in ("mine", *params.values())
        assert settings_in(space).cap_calls is None


@pytest.mark.slow
def test_on_ones_own_machine_alone_the_app_opens_where_it_was_left(store, new_server, monkeypatch):
    saved_runs.save_workspace(store, "mine", to_json(select_saved(VALUES)))
    monkeypatch.setattr(browser, "is_own_machine", lambda: True)
    assert workspace_of().id == "mine"
    assert settings_in(workspace_of()).cap_calls == 12
    assert workspace_of(w="new").id != "mine"


START = Saver.start
"""What starts the thread: tests of the history save when they say so."""
REFUSED = StoreError("The history in f is locked by another program: close that program.")


def refuses():
    raise REFUSED


@pytest.fixture
def spaces():
    registry = Registry()
    for window in (900, 901):
        registry.find(None).values[keys.SETTINGS] = DEFAULT.with_({"context_window": window})
    return registry


def test_what_fails_by_a_defect_holds_up_no_other(store, spaces, monkeypatch):
    save, saver = saved_runs.save_workspace, Saver(spaces, store)
    first, second = spaces.all()

    def fails(database, id, *values):
        if id == first.id:
            raise TypeError("a defect")
        save(database, id, *values)

    monkeypatch.setattr(saved_runs, "save_workspace", fails)
    assert not saver.turn()
    assert not store.find_unsaved(second.id)
    [unsaved] = store.find_unsaved(first.id)
    assert "Saving failed (TypeError: a defect)" in unsaved.defect
    monkeypatch.undo()
    first.values[keys.SETTINGS] = DEFAULT
    saver.turn()
    assert not store.waiting


def test_the_thread_goes_on_after_any_exception_and_says_it(store, spaces, monkeypatch, caplog):
    saver, turns, said = Saver(spaces, store), threading.Semaphore(0), []

    def fails():
        said.append(saver.problem)
        turns.release()
        raise InterruptedError("a signal came")

    monkeypatch.setattr(saving, "_EVERY", 0.01)
    monkeypatch.setattr(saver, "save", fails)
    START(saver)
    try:
        for _ in range(2):
            assert turns.acquire(timeout=60)
    finally:
        saver.end()
    assert "Saving failed (InterruptedError: a signal came)" in str(said[1])
    assert "a signal came" in caplog.text


def test_a_server_that_ends_tries_for_a_time_and_says_what_is_lost(
    store, spaces, monkeypatch, caplog
):
    monkeypatch.setattr(saving, "_LAST_SECONDS", 0.2)
    monkeypatch.setattr(store, "database", refuses)
    ended()
    Saver(spaces, store).finish()
    assert "Lost is the run “What held the pool?” with 9 answers" in caplog.text
    assert "The history in f is locked" in caplog.text
    assert len(store.waiting) == 3


@pytest.fixture
def page(store, monkeypatch):
    monkeypatch.setattr(saving, "_SAID_AFTER", 0.0)
    st.cache_resource.clear()
    yield Playground(query_str="What held the pool?")
    st.cache_resource.clear()


def of(page):
    job = ended(workspace=page.space.id)
    page.space.holding(Runs).begin(job)
    return job


@pytest.mark.slow
def test_every_page_says_what_is_not_saved_until_it_is(page, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(current_store(), "database", refuses)
        job = of(page)
        page.set(query_str="Another?")
        saving.saver().save()
        for script in ("app.py", "pages/compare.py", "pages/runs.py"):
            page.at.switch_page(script)
            text = page.draw().text
            assert "the run “What held the pool?” with 9 answers, since " in text
            assert "your edits since " in text
            assert text.count("is locked by another program: close that program.") >= 1
        page.space.holding(Runs).begin(of(page))  # and no other run makes it forgotten
        assert page.draw().text.count("the run “What held the pool?”") == 2
    assert page.space.busy  # it must not leave memory
    assert job.unsaved
    assert current_store().retry()
    assert saving.saver().save()
    assert "Not saved yet" not in page.draw().text
    assert not page.space.busy


def test_what_the_database_has_not_taken_for_a_second_is_said(page, monkeypatch):
    """It waits for another writer, and has refused nothing so far."""
    go, writes = threading.Event(), threading.Event()

    def waits():
        writes.set()
        go.wait()
        raise REFUSED

    with monkeypatch.context() as patch:
        patch.setattr(current_store(), "database", waits)
        job = run(request_of(), reply, workspace=page.space.id)
        writes.wait()
        said = saving.unsaved_words(page.space.id)
        go.set()
        job.wait()
    assert "with 0 answers" in said
    assert "The database has not taken it so far." in said
