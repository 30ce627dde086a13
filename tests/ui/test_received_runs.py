"""What applications send, on Runs: its rows, what opens of them, and who sees it."""

from dataclasses import replace

import pytest

from tests.received.otlp import request
from tests.traces.application import Application, ask, nodes, recording
from tests.traces.grown import in_order
from tests.traces.test_live import CHUNKS
from tests.ui.page import Playground
from tests.ui.store.recorded import renewed
from tests.ui.test_import import Trace
from ui.imported import received_runs
from ui.received import store, whose
from ui.received.decoding import decoded
from ui.session import keys
from ui.store import runs as saved_runs
from ui.store.database import ADDRESS
from ui.store.runs import Filter
from ui.store.store import current_store

pytestmark = pytest.mark.slow

TOKEN = "of the tests"


class Runs(Trace):
    def load(self, **params):
        super().load(**params)
        self.at.session_state[keys.RECEIVE_TOKEN] = TOKEN

    @property
    def rows(self):
        return [row for table in self.at.dataframe for row in table.value.to_dict("records")]

    def open_row(self, question):
        [run] = [run for run in received_runs.received().runs if run.question == question]
        return self.set(ticked_runs=[run.id])

    @property
    def saved(self):
        return saved_runs.find(current_store(), self.space.id, Filter()).runs


@pytest.fixture(autouse=True)
def _receiving(tmp_path, monkeypatch):
    monkeypatch.setenv(whose.TOKEN, TOKEN)
    monkeypatch.setenv(ADDRESS, f"sqlite:///{tmp_path}/history.sqlite3")
    renewed(monkeypatch)
    yield
    current_store().close()


def spans_of(mode, query="What is it?", chunks=CHUNKS, **options):
    with recording() as lines:
        ask(Application(), mode, query, nodes(chunks), **options)
    data = request(in_order(lines.getvalue())).SerializeToString()
    return decoded(data, is_json=False, packed=False).spans


def test_a_synthesis_is_a_row_once_it_ended_and_opens_verified():
    spans = [replace(span, service="support-bot") for span in spans_of("refine")]
    store.add(spans[:-3])
    assert not Runs().rows
    store.add(spans[-3:])
    page = Runs()
    [row] = page.rows
    assert (row["Question"], row["Mode"], row["Calls"]) == ("What is it?", "refine", 4)
    assert (row["Differs"], row["State"]) == ("sent by support-bot", "✓ done")
    assert "<b>1 run</b>" in page.text
    page.open_row("What is it?")
    assert "Verified: this app computes the same 4 prompts</b>" in page.text
    assert "<b>support-bot, " in page.text
    page.press("All runs")
    assert len(page.rows) == 1


def test_what_was_opened_as_a_run_stands_in_the_list_once():
    store.add(spans_of("refine"))
    page = Runs().open_row("What is it?").press("Open as a run")
    shown = page.turn_to(Playground)
    shown.job.wait()
    assert "Back to the trace" in {link.label for link in shown.at.get("page_link")}
    [saved] = page.saved
    assert (saved.page, saved.state, saved.calls) == ("Playground", "done", 4)
    page = Runs.of(page.space)
    page.space.holding(received_runs.OpenedFile).close()
    [row] = page.draw().rows
    assert row["Differs"] != "sent by an application"


def test_a_silent_synthesis_without_its_own_span_is_incomplete(monkeypatch):
    store.add(spans_of("refine")[:-3])
    monkeypatch.setattr(store, "_SILENCE", -1)
    page = Runs()
    [row] = page.rows
    assert (row["State"], row["Mode"]) == ("… incomplete", "imported")
    page.open_row("What is it?")
    assert "nothing is computed and nothing is claimed" in page.text
    assert "Spans of this synthesis have not come" in page.text


def test_the_filters_hold_for_them_too():
    store.add(spans_of("compact", "First?"))
    store.add(spans_of("refine", "Second?"))
    page = Runs()
    assert [row["Question"] for row in page.rows] == ["Second?", "First?"]
    assert [row["Question"] for row in page.set(runs_words="first").rows] == ["First?"]
    assert "No run is found." in page.set(runs_words="third").text
    assert not page.set(runs_words="", runs_only=["Pinned"]).rows


def test_a_trace_that_fails_leaves_the_others_as_they_are(monkeypatch):
    store.add(spans_of("compact", "First?"))
    read = store.syntheses
    broken = store.traces()[0].trace_id

    def fails(trace):
        return 1 / 0 if trace.trace_id == broken else read(trace)

    monkeypatch.setattr(store, "syntheses", fails)
    store.add(spans_of("compact", "Second?"))
    first, second = (row["Question"] for row in Runs().rows)
    assert {first, second} > {"Second?"}
    assert any("This app fails to read it (ZeroDivisionError)" in one for one in (first, second))


def test_what_takes_long_is_read_when_the_page_is_drawn_next(monkeypatch):
    store.add(spans_of("compact", "First?"))
    store.add(spans_of("compact", "Second?"))
    monkeypatch.setattr(received_runs, "_PATIENCE", -1)
    assert "2 older traces will be read when the page is drawn next." in Runs().text


def test_what_is_deleted_is_in_no_memory_and_on_no_page():
    store.add(spans_of("compact", "Secret?"))
    page = Runs()
    assert "Secret?" in repr(received_runs._rows)
    page.press("Delete what was sent")
    assert not page.rows
    assert not received_runs._rows
    assert store.traces() == []


def test_who_has_no_token_sees_nothing():
    store.add(spans_of("compact", "Secret?"))
    page = Runs()
    page.at.session_state[keys.RECEIVE_TOKEN] = "guessed"
    page.draw()
    assert not page.rows
    assert "Delete what was sent" not in page.buttons
    page.at.text_input(key="token_to_see").set_value(TOKEN)
    assert [row["Question"] for row in page.press("Enter").rows] == ["Secret?"]
