"""What one click does, in its order, as docs/architecture.md says it."""

import threading
from functools import wraps
from itertools import groupby

import pytest

from tests.eventually import eventually
from tests.ui.page import Playground
from ui.kept import opening, saving
from ui.pages.playground import page as playground
from ui.pages.playground import plan_view
from ui.plans import plan_range
from ui.runs import start
from ui.runs.job import Job
from ui.runs.pool import Pool
from ui.session import parts
from ui.settings import state

pytestmark = pytest.mark.slow

STEPS = (
    (state, "_store"),
    (state, "update"),
    (state, "write_address"),
    (parts, "redraw_changed"),
    (plan_view, "_planned"),
    (plan_range, "_planned"),
    (plan_view, "headline"),
    (playground, "draw"),
    (start, "start"),
    (Pool, "enter"),
    (Job, "_work"),
    (saving.Saver, "turn"),
    (opening, "enter"),
)
EDIT = ["state._store", "state.update", "state.write_address", "parts.redraw_changed"]
VALUE, PLAN, SENTENCE = "plan_view._planned", "plan_range._planned", "plan_view.headline"
RUN = ["start.start", "Pool.enter", "Job._work"]
PAGE = ["opening.enter", "page.draw"]


@pytest.fixture
def steps(monkeypatch):
    """The functions that are called, in order, and the threads in which they are."""
    called = []

    def record(owner, name):
        function, step = getattr(owner, name), f"{owner.__name__.rpartition('.')[2]}.{name}"

        @wraps(function)
        def recorded(*args, **kwargs):
            called.append((step, threading.get_ident()))
            return function(*args, **kwargs)

        monkeypatch.setattr(owner, name, recorded)

    for owner, name in STEPS:
        record(owner, name)
    return called


def names(steps):
    """The names of the steps since the last look, without those of the thread that saves.

    Several plans after one another, of the modes that the adviser weighs, are one step.
    """
    found = [name for name, _ in steps if name != "Saver.turn"]
    steps.clear()
    return [name for name, _ in groupby(found)]


def test_an_edit_draws_the_parts_that_it_changes(steps):
    page = Playground()
    before, _ = page.settings, steps.clear()
    page.at.number_input(key="context_window").set_value(300)
    page.draw()
    assert names(steps) == [*EDIT, VALUE, PLAN, SENTENCE]
    assert page.settings == before.with_({"context_window": 300})
    assert before.context_window == 1_024
    assert page.at.query_params["window"] == "300"
    page.draw()
    steps.clear()
    page.at.number_input(key="context_window").set_value(1_024)
    page.draw()
    assert names(steps) == [*EDIT, VALUE, SENTENCE]  # its plan is remembered
    assert "window" not in page.at.query_params


def test_an_edit_that_changes_the_layout_draws_the_page(steps):
    page = Playground().finish()
    steps.clear()
    page.at.selectbox(key="tokenizer").set_value("o200k_base")  # brings the plan back
    page.draw()
    assert [one for one in names(steps) if one not in (VALUE, PLAN)][:6] == [*EDIT, *PAGE]


def test_run_starts_a_job_in_a_thread_at_which_the_page_looks(steps):
    page = Playground()
    steps.clear()
    page.press("run_button")
    page.job.wait()
    threads = dict(steps)
    order = [name for name in names(steps) if name in RUN]
    assert order == RUN
    assert threads["Job._work"] != threads["start.start"]
    assert "made <b>" in page.draw().text
    assert not {*RUN}.intersection(names(steps))


def test_an_edit_is_saved_by_a_thread_and_found_after_a_refresh(steps):
    page = Playground()
    page.at.number_input(key="context_window").set_value(300)
    page.draw()
    eventually(lambda: saving.saver().has_saved(page.space), "saved")
    threads = dict(steps)
    assert threads["Saver.turn"] != threads["state._store"]
    steps.clear()
    page.open()
    assert names(steps)[:2] == PAGE
    assert page.at.query_params["w"] == page.space.id
    assert page.at.number_input(key="context_window").value == 300
