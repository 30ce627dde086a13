"""The Runs page without a browser."""

import re
import threading
from html import unescape

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
from ui.store.store import StoreError, current_store

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
        return saved_runs.find(self.history, self.space.id).runs

    @property
    def questions(self):
        return [unescape(name) for name in re.findall('data-click="open .*?>(.*?)<', self.html)]

    @property
    def outcomes(self):
        cells = re.findall('<td class="outcome">(.*?)</td>', self.html)
        return [re.sub("<.*?>", "", cell) for cell in cells]

    def tick(self, *ids):
        return self.set(ticked_runs=list(ids))

    def open_run(self, id):
        """Click on the title of a run; it is shown on the Playground."""
        self.tell("clicks", "clicked", f"open {id}")
        return self.turn_to(Playground)


@pytest.fixture
def page():
    return Runs()


def test_runs_of_another_workspace_are_seen_on_ones_own_machine_alone(page, monkeypatch):
    other = Runs()
    other.save(query="Whose is it?")
    assert page.draw().questions == []
    monkeypatch.setattr(browser, "is_own_machine", lambda: True)
    assert "Whose is it?" in page.draw().questions
    page.tick(other.all[0].id).press("delete_runs")
    assert not other.all


def test_the_search_and_the_kinds_leave_what_they_name(page):
    page.save("refine", "Why did the pool drain?", lambda _: "the cat")
    page.save("accumulate", "Who knew?", lambda _: "nobody")
    page.draw()
    assert page.questions == ["Who knew?", "Why did the pool drain?"]
    assert page.set(runs_words="cat").questions == ["Why did the pool drain?"]
    assert page.set(runs_words="accumulate").questions == ["Who knew?"]
    assert "No run is found." in page.set(runs_kind="from a file").text
    assert page.set(runs_kind="made here").questions == ["Who knew?"]


def test_the_outcome_is_in_the_list(page):
    page.put(facts={"What held the pool?": "eight lines\nnine lines"})
    page.save(fn=lambda _: "It was eight lines.")
    page.save(query="And this?", fn=Failing(at=4))
    assert page.draw().outcomes[1] == "1 of 2 facts"
    assert page.outcomes[0].startswith("✕failed: ")


def test_a_name_and_a_note_are_kept_and_a_run_opens(page):
    id = page.save()
    page.draw().tick(id).enter(f"run_name {id}", "The <pool>")
    page.enter(f"run_note {id}", "for the review")
    run = page.summary(id)
    assert (run.name, run.note) == ("The <pool>", "for the review")
    assert page.questions == ["The <pool>"]
    assert "The &lt;pool&gt;" in page.text
    assert "for the review" in page.text
    undo = page.open_run(id).at.button(key="undo_chunks")
    assert undo.label == r"Undo the run “The \<pool\>”"


def test_a_deleted_run_comes_back_and_a_change_that_is_refused_is_told(page, monkeypatch):
    first, second = page.save(query="One?"), page.save(query="Two?")
    page.draw().tick(first, second).press("delete_runs")
    assert not page.all
    assert "2 runs deleted." in page.text
    page.press("undo_delete")
    assert page.questions == ["Two?", "One?"]
    assert "deleted" not in page.text

    def refuses(*_, **values):
        raise StoreError("The history in X has no room on its disk: free some space.")

    monkeypatch.setattr(saved_runs, "change", refuses)
    page.tick(first).press("delete_runs")
    assert "no room on its disk" in page.text
    assert "Nothing was changed." not in page.draw().text


def test_an_opened_run_is_shown_with_its_settings_and_the_way_back():
    playground = Playground(
        mode="refine", context_window=700, query_str="Who?", variables=None
    ).finish()
    page = Runs.of(playground.space)
    answer = playground.job.trace.response
    page.put(mode="compact", context_window=1024, query_str="Something else")
    shown = page.open().open_run(playground.job.run)
    assert answer[:30] in shown.text
    assert "out of date" not in shown.text
    assert page.settings.context_window == 700
    shown.press("undo_chunks")
    assert page.settings.query_str == "Something else"


def test_a_key_for_another_address_is_not_sent_to_that_of_an_opened_run(page):
    id = page.save(model=Model("endpoint", "m", "https://other.example/v1"))
    shown = page.draw().type_key("sk-secret", OPENAI).open_run(id)
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
            f"UPDATE synth_saved_run SET state = 'running', server = 'dead' WHERE id = '{job.run}'"
        )
        connection.exec_driver_sql(
            f"DELETE FROM synth_saved_answer WHERE run = '{job.run}' AND number = 4"
        )
    assert page.draw().outcomes == ["‖interrupted"]
    assert "The run was interrupted." in page.open_run(job.run).text
    page.turn_to(Runs).tick(job.run).press("resume_saved")
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
    assert page.draw().outcomes == ["…running"]
    assert "2 of 9" in page.text
    page.tell("clicks", "clicked", f"open {job.run}")
    assert "still goes on: wait for its end." in page.text
    go.release(20)
    job.wait()
    assert page.draw().outcomes == [""]
    assert "made <b>9 calls</b>" in page.open_run(job.run).text


def test_a_run_that_goes_on_while_another_is_shown_can_be_stopped():
    with FakeOpenAI(Answer("first"), Silence()) as server:
        shown = endpoint(server, mode="refine").press("run_button")
        eventually(lambda: shown.job.answered, "the first answer")
        job, page = shown.job, Runs.of(shown.space)
        page.draw().open_run(page.save())
        assert shown.job is not job
        assert job.running
        assert shown.space.busy
        page = Runs.of(shown.space).tick(job.run).press("stop_saved")
        assert "stop_saved" not in page.keys
        assert not shown.space.busy
        assert len(job.answered) == 1


def in_compare(page, *ids):
    return page.draw().tick(*ids).press("open_in_compare").turn_to(Compare)


def test_runs_of_the_same_input_become_columns_with_their_answers(page):
    [(name, ((role, text),))] = request_of("simple_summarize").templates
    brief = ((name, ((role, f"{text} Be brief."),)),)
    page.put(query_str="Something else?")
    page.space.values["columns"] = mine = columns_of_modes("accumulate")
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
    assert compare.press("columns_back").columns == mine
    assert len(page.all) == len(ids)
    page.turn_to(Playground).press("undo_chunks")
    assert page.settings.query_str == "Something else?"


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
