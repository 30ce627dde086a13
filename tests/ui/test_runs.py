"""The Runs page without a browser."""

import re
import threading

import pytest

from synth.llms.endpoint import OPENAI
from tests.eventually import eventually
from tests.fake_openai import Answer, FakeOpenAI, Silence
from tests.ui.page import Page, Playground, endpoint
from tests.ui.store.recorded import Failing, ended, request_of
from tests.ui.store.recorded import run as recorded
from tests.ui.test_compare import Compare
from ui.pages.compare.columns import columns_of_modes
from ui.session import browser, keys
from ui.settings.request import Model
from ui.store import runs as saved_runs
from ui.store.errors import StoreError
from ui.store.runs import Filter
from ui.store.store import current_store
from ui.store.tables import RunInfo

pytestmark = pytest.mark.slow


class Runs(Page):
    script = "pages/runs.py"

    def save(self, mode="refine", query="What held the pool?", fn=None, **more):
        job = ended(request_of(mode, query, **more), *([fn] if fn else []), workspace=self.space.id)
        return job.run

    @property
    def history(self):
        return current_store()

    def summary(self, id):
        [run] = [run for run in self.all if run.id == id]
        return run

    @property
    def all(self):
        return saved_runs.find(self.history, self.space.id, Filter()).runs

    @property
    def questions(self):
        [table] = self.at.dataframe
        return list(table.value["Question"])

    def tick(self, *ids):
        return self.set(ticked_runs=list(ids))


@pytest.fixture
def page():
    return Runs()


def test_runs_of_another_workspace_are_seen_on_ones_own_machine_alone(page, monkeypatch):
    other = Runs()
    other.save(query="Whose is it?")
    assert not page.draw().at.dataframe
    monkeypatch.setattr(browser, "is_own_machine", lambda: True)
    assert "Whose is it?" in page.draw().questions
    page.press("delete_runs")
    assert other.all == ()


def test_the_search_and_the_filters_leave_what_they_name(page):
    page.save("refine", "Why did the pool drain?", lambda _: "the cat")
    page.save("accumulate", "Who knew?", lambda _: "nobody")
    page.draw()
    assert page.questions == ["Who knew?", "Why did the pool drain?"]
    assert page.set(runs_words="cat").questions == ["Why did the pool drain?"]
    assert page.set(runs_words="", runs_mode="accumulate").questions == ["Who knew?"]
    assert "No run is found." in page.set(runs_words="cat").text
    page.set(runs_words="", runs_mode=None, runs_only=["Pinned"])
    assert "No run is found." in page.text


def test_runs_before_the_period_are_told(page):
    id = page.save()
    with page.history.write() as connection:
        connection.exec_driver_sql(
            f"UPDATE synth_run SET started = started - 40 * 86400 WHERE id = '{id}'"
        )
    assert "No run is found in this time." in page.draw().text
    page.set(runs_period="Any time")
    assert page.questions == ["What held the pool?"]
    assert "<b>1 run</b>" in page.text


def test_a_name_a_note_and_a_pin_are_kept_and_a_run_opens_at_a_step(page):
    id = page.save()
    page.draw().enter(f"run_name {id}", "The <pool>")
    page.enter(f"run_note {id}", "for the review").press("pin_run")
    run = page.summary(id)
    assert (run.name, run.note, run.pinned) == ("The <pool>", "for the review", True)
    assert page.questions == ["The <pool>"]
    assert "The &lt;pool&gt;" in page.text
    assert "for the review" in page.text
    page.press("pin_run")
    assert not page.summary(id).pinned
    page.set(**{f"open_at {id}": 3}).press("open_saved")
    shown = page.turn_to(Playground).text
    assert "From the run “The &lt;pool&gt;”." in shown
    assert "Step 3 of 9" in shown


def test_rows_that_look_alike_say_what_differs(page):
    [(name, ((role, text),))] = request_of("simple_summarize").templates
    brief = ((name, ((role, f"{text} Be brief."),)),)
    page.save("simple_summarize")
    page.save("simple_summarize", context_window=700)
    page.save("simple_summarize", context_window=700, templates=brief, query="Who?")
    page.save("simple_summarize", templates=brief, text_chunks=("Another.",))
    page.save("tree_summarize", text_chunks=("Another.",))  # which has another template, no edit
    [table] = page.draw().at.dataframe
    words = ["window 700 → 600; other templates; other chunks", "", "window 600 → 700", ""]
    words.insert(0, "")
    assert list(table.value["Differs"]) == words


def test_a_deleted_run_comes_back_and_a_change_that_is_refused_is_told(page, monkeypatch):
    first, second = page.save(query="One?"), page.save(query="Two?")
    page.draw().tick(first, second).press("delete_runs")
    assert page.all == ()
    assert "2 runs deleted." in page.text
    page.press("undo_delete")
    assert page.questions == ["Two?", "One?"]
    assert "deleted" not in page.text

    def refuses(*_, **values):
        raise StoreError("The history in X has no room on its disk: free some space.")

    monkeypatch.setattr(saved_runs, "change", refuses)
    page.press("pin_run")
    assert "no room on its disk" in page.text
    assert "Nothing was changed." not in page.draw().text


def test_a_long_list_is_drawn_by_pages(page, monkeypatch):
    monkeypatch.setattr("ui.pages.runs.listing.PAGE", 2)
    for number in range(5):
        page.save("simple_summarize", f"Question {number}?")
    assert page.draw().questions == ["Question 4?", "Question 3?"]
    assert "1 to 2 of 5 shown." in page.text
    page.press("Older").press("Older")
    assert page.questions == ["Question 0?"]
    assert page.set(runs_words="question").questions == ["Question 4?", "Question 3?"]


def test_an_opened_run_is_shown_with_its_settings_and_the_way_back():
    playground = Playground(
        mode="refine", context_window=700, query_str="Who?", variables=None
    ).finish()
    page = Runs.of(playground.space)
    answer = playground.job.trace.response
    page.put(mode="compact", context_window=1024, query_str="Something else")
    page.open().press("open_saved")
    shown = page.turn_to(Playground)
    assert answer[:30] in shown.text
    assert "From the run “Who?”." in shown.text
    assert "out of date" not in shown.text
    assert page.settings.context_window == 700
    shown.press("Restore my input")
    assert page.settings.query_str == "Something else"


def test_a_key_for_another_address_is_not_sent_to_that_of_an_opened_run(page):
    page.save(model=Model("endpoint", "m", "https://other.example/v1"))
    page.draw().type_key("sk-secret", OPENAI).press("open_saved")
    shown = page.turn_to(Playground)
    shown.reach("model")
    [field] = [one for one in shown.at.text_input if one.label == "API key"]
    assert (shown.settings.base_url, field.value) == ("https://other.example/v1", "")
    said = "The key that you typed is for api.openai.com; type one for other.example"
    assert said in shown.said


def test_an_interrupted_run_goes_on_where_it_was(page):
    request = request_of("refine")
    job = ended(request, Failing(at=4), workspace=page.space.id)
    with page.history.write() as connection:  # as if its process had been killed
        connection.exec_driver_sql(
            f"UPDATE synth_run SET state = 'running', server = 'dead' WHERE id = '{job.run}'"
        )
        connection.exec_driver_sql(
            f"DELETE FROM synth_answer WHERE run = '{job.run}' AND number = 4"
        )
    page.draw()
    assert page.at.dataframe[0].value["State"][0] == "‖ interrupted"
    page.press("open_saved")
    shown = page.turn_to(Playground)
    assert "The run was interrupted." in shown.text
    page.turn_to(Runs).press("resume_saved")
    shown = page.turn_to(Playground)
    shown.job.wait()
    assert [call.replayed for call in shown.job.answered] == [True] * 3 + [False] * 6
    assert page.summary(job.run).state == "done"


def test_a_run_that_goes_on_has_the_calls_that_are_saved_so_far(page):
    asked, go = threading.Semaphore(0), threading.Semaphore(2)

    def answer(prompt):
        asked.release()
        go.acquire()
        return "Eight lines."

    job = recorded(request_of("refine"), answer, workspace=page.space.id)
    for _ in range(3):
        asked.acquire()
    assert "<b>refine</b> made <b>2 calls</b> in " in page.draw().text
    assert "It still goes on, and can be opened when it has ended." in page.text
    assert "open_saved" not in page.keys
    go.release(20)
    job.wait()
    assert "<b>refine</b> made <b>9 calls</b> in " in page.draw().text
    assert "open_saved" in page.keys


def test_a_run_that_goes_on_while_another_is_shown_can_be_stopped():
    with FakeOpenAI(Answer("first"), Silence()) as server:
        shown = endpoint(server, mode="refine").press("run_button")
        eventually(lambda: shown.job.answered, "the first answer")
        job, page = shown.job, Runs.of(shown.space)
        page.draw().tick(page.save()).press("open_saved")
        assert shown.job is not job
        assert job.running
        assert shown.space.busy
        page = Runs.of(shown.space).tick(job.run).press("stop_saved")
        assert "It was stopped, and ends when its last call is answered." in page.text
        assert "stop_saved" not in page.keys
        assert not shown.space.busy
        assert len(job.answered) == 1


PAID = {"model": Model("endpoint", "never-heard-of", "https://host/v1")}


def test_a_branch_says_what_it_reused_and_what_a_person_wrote_and_the_calls_add_up(page):
    request = request_of("refine", **PAID)
    first = ended(request, workspace=page.space.id)
    log = {number: answer for number, answer in first.trace.log().items() if number <= 5}
    info = RunInfo(edited=frozenset({5}), parent=first.run, parent_call=5)
    branch = ended(request, info=info, log=log, workspace=page.space.id)
    words = "4 of 9 answers reused, the answer of call 5 edited by hand"
    assert page.summary(branch.run).reused == 4
    page.draw().tick(branch.run)
    assert "<b>refine</b> made <b>4 calls</b> in " in page.text
    assert f", price unknown; {words}. Nothing was cut off." in page.text
    table = page.at.dataframe[0].value
    assert sum(table["Calls"]) == 13
    assert re.fullmatch(r"branch of \d\d:\d\d; 4 answers reused", table["Differs"][0])


def in_compare(page, *ids):
    return page.draw().tick(*ids).press("open_in_compare").turn_to(Compare)


def test_runs_of_the_same_input_become_columns_with_their_answers(page):
    [(name, ((role, text),))] = request_of("simple_summarize").templates
    brief = ((name, ((role, f"{text} Be brief."),)),)
    page.put(query_str="Something else?")
    page.space.values["columns"] = columns_of_modes(["compact", "accumulate"])
    ids = [
        page.save("refine", response_padding_size=10, fn=lambda _: "Eight lines."),
        page.save("refine", context_window=700, fn=lambda _: "Nine lines."),
        page.save("simple_summarize", templates=brief, fn=lambda _: "Briefly nine."),
    ]
    compare = in_compare(page, *ids)
    assert [compare.trace(letter).response for letter in "ABC"] == [
        "Eight lines.",
        "Nine lines.",
        "Briefly nine.",
    ]
    windows = [head.partition("window ")[2][:3] for head in compare.heads]
    assert windows == ["600", "700", "600"]
    assert "To send" not in compare.text
    assert len(page.all) == len(ids)
    page.turn_to(Playground).press("Restore my input")
    assert page.settings.query_str == "Something else?"
    assert [column.override("mode") for column in compare.columns] == ["compact", "accumulate"]


def test_a_run_that_ended_early_goes_on_in_its_column(page):
    ids = [page.save(fn=Failing(at=4)), page.save("compact")]
    compare = in_compare(page, *ids)
    assert "To send: at most " in compare.text
    compare.finish()
    assert len(page.all) == len(ids)
    assert page.summary(ids[0]).state == "done"


@pytest.mark.parametrize(
    ("other", "values", "why"),
    [
        ({"query": "Who knew?"}, {}, "Their questions differ"),
        ({"text_chunks": ("Another.",)}, {}, "Their chunks differ"),
        ({}, {keys.QUESTIONS: "One?\nTwo?"}, "Compare has a list of questions now"),
    ],
)
def test_runs_that_can_not_be_columns_say_why(page, other, values, why):
    page.space.values.update(values)
    page.draw().tick(page.save(), page.save(**other)).press("open_in_compare")
    assert why in page.text


def test_more_runs_than_columns_are_only_counted(page):
    page.draw().tick(*(page.save(query=f"Number {number}?") for number in range(6)))
    assert "6 runs are ticked." in page.text
    assert "and 2 more. Compare has up to 4 columns." in page.text
    assert "open_in_compare" not in page.keys
