"""What applications send, on Runs: its rows, what opens of them, and who sees it."""

import re
from dataclasses import replace

import pytest

from tests.received.otlp import request
from tests.traces.application import Application, ask, nodes, recording
from tests.traces.recordings import in_order
from tests.traces.test_live import CHUNKS
from tests.ui.page import Playground
from tests.ui.store.recorded import renewed
from tests.ui.test_import import Trace
from ui.pages.runs import recordings
from ui.pages.runs.recordings import OpenedFile
from ui.received import store
from ui.received.store import decode
from ui.session import browser
from ui.store import runs as saved_runs
from ui.store.store import ADDRESS, current_store

pytestmark = pytest.mark.slow


class Runs(Trace):
    @property
    def questions(self):
        return re.findall('data-click="open .*?>(.*?)<', self.html)

    def see_row(self, question):
        [id] = [row.info.id for row in recordings.read_received() if row.info.question == question]
        return self.set(ticked_runs=[id]).press("see_recording")

    @property
    def saved(self):
        return saved_runs.find(current_store(), self.space.id).runs


@pytest.fixture(autouse=True)
def _receiving(tmp_path, monkeypatch):
    monkeypatch.setattr(browser, "is_own_machine", lambda: True)
    monkeypatch.setenv(ADDRESS, f"sqlite:///{tmp_path}/history.sqlite3")
    renewed(monkeypatch)
    yield
    current_store().close()


def spans_of(mode, query="What is it?", chunks=CHUNKS, **options):
    with recording() as lines:
        ask(Application(), mode, query, nodes(chunks), **options)
    data = request(in_order(lines.getvalue())).SerializeToString()
    return decode(data)


def test_a_synthesis_is_a_row_once_it_ended_and_opens_verified():
    spans = [replace(span, service="support-bot") for span in spans_of("refine")]
    store.add(spans[:-3])
    assert not Runs().questions
    store.add(spans[-3:])
    page = Runs()
    assert page.questions == ["What is it?"]
    assert "verified: the same 4 prompts" in page.text
    assert "1 recorded run is the same here" in page.text
    page.see_row("What is it?")
    assert "Verified: the same 4 prompts</b>" in page.text
    assert "<b>support-bot: </b>" in page.text
    page.press("All runs")
    assert len(page.questions) == 1


def test_what_was_opened_as_a_run_stands_in_the_list_once():
    store.add(spans_of("refine"))
    page = Runs().see_row("What is it?").press("Open as a run")
    shown = page.turn_to(Playground)
    shown.job.wait()
    [saved] = page.saved
    assert (saved.page, saved.state, saved.calls) == ("Playground", "done", 4)
    page = Runs.of(page.space)
    page.space.holding(OpenedFile).close()
    assert page.draw().questions == ["What is it?"]
    assert page.set(runs_kind="received").questions == ["What is it?"]
    assert page.set(runs_kind="made here").questions == []


def test_a_silent_synthesis_without_its_own_span_is_incomplete(monkeypatch):
    store.add(spans_of("refine")[:-3])
    monkeypatch.setattr(store, "_SILENCE", -1)
    page = Runs()
    assert "incomplete</span>" in page.text
    page.see_row("What is it?")
    assert "shown as it is, and nothing is claimed" in page.text
    assert "Spans of this synthesis have not come" in page.text


def test_a_trace_that_fails_leaves_the_others_as_they_are(monkeypatch):
    store.add(spans_of("compact", "First?"))
    read = store.read_syntheses
    broken = store.read_traces()[0].trace_id

    def fails(trace):
        return 1 / 0 if trace.trace_id == broken else read(trace)

    monkeypatch.setattr(store, "read_syntheses", fails)
    store.add(spans_of("compact", "Second?"))
    page = Runs()
    assert set(page.questions) == {"Second?", "A trace that can&#39;t be read"}
    assert "failed: This app fails to read it (ZeroDivisionError)" in page.text


def test_what_is_deleted_is_in_no_memory_and_on_no_page():
    store.add(spans_of("compact", "Secret?"))
    page = Runs()
    assert "Secret?" in repr(recordings._rows)
    page.press("Delete what was sent")
    assert not page.questions
    assert not recordings._rows
    assert store.read_traces() == []


def test_elsewhere_than_on_ones_own_machine_nobody_sees_them(monkeypatch):
    store.add(spans_of("compact", "Secret?"))
    monkeypatch.setattr(browser, "is_own_machine", lambda: False)
    page = Runs()
    assert not page.questions
    assert "Delete what was sent" not in page.buttons
