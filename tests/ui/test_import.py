"""Traces that are opened on Runs: what is said of them, what they send here, and how they go on."""

from dataclasses import replace

import pytest
from llama_index.core.llms import ChatMessage
from llama_index.core.prompts import ChatPromptTemplate

from synth.llms import FunctionLLM
from synth.runs.calls import prompt_hash
from synth.traces.imported_run import IMPORTED, trace_of
from tests import plans
from tests.traces.application import CALLING
from tests.traces.files import RECORDED
from tests.traces.recordings import CORES, runs_of
from tests.traces.test_containers import BROKEN
from tests.traces.test_fitting import helper
from tests.traces.test_live import record
from tests.traces.test_other_traces import CHAIN, FOUND, llm, span, text
from tests.ui.page import Page, Playground
from ui.pages.compare.comparison import ComparedRuns
from ui.pages.runs.recordings import OpenedFile, OpenedRun, why_not_held
from ui.runs import start
from ui.session import keys
from ui.settings.schema import from_texts
from ui.store.runs import find_latest, load_run
from ui.store.store import current_store

pytestmark = pytest.mark.slow

SDK = RECORDED.encode()
VERIFIED = "Verified: the same 2 prompts</b>"


class Trace(Page):
    script = "pages/runs.py"

    def upload(self, data, name="run.jsonl"):
        [uploader] = self.at.file_uploader
        uploader.set_value([(name, data, "application/json")])
        return self.draw()

    def show(self, run):
        """Open a recording beside what this app computes."""
        self.space.holding(OpenedFile).opened = OpenedRun(run, "live.jsonl")
        return self.draw()

    def see(self):
        """Open the recording of the file that was dropped last."""
        return self.show(self.space.holding(OpenedFile).runs[-1].run)

    @property
    def run(self):
        return self.space.holding(OpenedFile).opened

    @property
    def buttons(self):
        return {button.label: button for button in self.at.button}

    def go(self, label, script):
        self.press(label)
        if self.job is not None:
            self.job.wait()
        self.at.switch_page(script)
        return self.draw()


def test_a_dropped_file_is_in_the_list_with_its_outcome_and_opens():
    page = Trace().upload(SDK)
    assert "1 recorded run is the same here, prompt for prompt." in page.text
    assert "verified: the same 2 prompts" in page.text
    assert "1 run in all." in page.upload(SDK).text  # the same file again adds nothing
    page.see()
    assert VERIFIED in page.text
    assert '<dt>model</dt><dd dir="auto">m</dd>' in page.text
    assert '<dt>chunks</dt><dd dir="auto">2</dd>' in page.text
    assert not page.buttons["Open as a run"].disabled
    page.press("All runs").tell("clicks", "clicked", "open file-0")
    page.at.switch_page("app.py")
    assert "<b>accumulate</b> made <b>2 calls</b>" in page.draw().text


def test_an_example_is_there_to_try():
    page = Trace().press("Try our example")
    assert "verified: the same 5 prompts" in page.text
    page.see()
    assert "the offline model of this app" in page.text
    page.go("Open as a run", "app.py")
    assert "<b>compact</b> made <b>5 calls</b>" in page.text


def test_a_broken_file_is_named_on_the_page():
    data, _ = BROKEN["a picture"]
    page = Trace().upload(data, "broken.json")
    assert "This file was not opened." in page.text
    assert not page.space.holding(OpenedFile).runs
    assert page.at.file_uploader


def test_a_run_of_another_framework_is_shown_and_nothing_is_claimed():
    rows = [CHAIN, span(2, "Retriever", FOUND, 1), llm(3, "It rained. Why?", "So.", 1)]
    page = Trace().upload(text(*rows).encode())
    assert "its mode is not known here" in page.text
    page.see()
    assert "shown as it is, and nothing is claimed" in page.text
    assert "It rained. Why?" in page.text
    assert "num_output" not in page.text
    assert page.buttons["Open as a run"].disabled
    assert page.buttons["Compare with other modes"].disabled


def differing():
    run, _ = record("compact", chat=True, prompt_helper=helper(chunk_overlap_ratio=0))
    return run


def test_a_difference_is_shown_and_the_setting_that_explains_it_is_a_button():
    page = Trace().show(differing())
    assert '<dt>overlap</dt><dd dir="auto">0.1</dd>' in page.text
    assert "Differs from call 2 on" in page.text
    assert "<ins>" in page.text
    assert "Explained by overlap 0." in page.text
    assert page.buttons["Open as a run"].disabled
    assert "The recorded calls · " in page.text
    page.press("Use overlap 0")
    assert "Verified" in page.text
    assert "This is so with overlap 0." in page.text
    assert '<dt>overlap</dt><dd dir="auto">0</dd>' in page.text
    assert not page.buttons["Open as a run"].disabled


def test_where_no_setting_explains_it_the_page_says_what_was_tried(monkeypatch):
    other = replace(differing(), query="Another question?")
    text = Trace().show(other).text
    assert "No setting explains it." in text
    assert "Differs from call 1 on" in text
    monkeypatch.setattr("synth.traces.fitting._MOST_TRIES", 1)
    assert "Not all settings were tried." in Trace().show(other).text


def test_a_run_that_the_pages_cannot_hold_says_why():
    messages = [("user", "Read."), ("assistant", "I do."), ("user", "{context_str} {query_str}")]
    template = ChatPromptTemplate([ChatMessage(role=role, content=one) for role, one in messages])
    run, _ = record("accumulate", chat=True, text_qa_template=template)
    page = Trace().show(run)
    assert "Verified" in page.text
    assert "text_qa_template has messages of user, assistant, user" in page.text
    assert page.buttons["Open as a run"].disabled
    assert run.calls[0].answer in page.text


def test_a_long_search_waits_for_a_press(monkeypatch):
    run, _ = record("compact", prompt_helper=helper(chunk_overlap_ratio=0))
    monkeypatch.setattr("ui.pages.runs.recordings._SHORT_SEARCH", 10)
    page = Trace().show(run)
    assert "trying them may take up to a minute" in page.text
    assert "Explained by" not in page.text
    page.press("Try other settings")
    assert "Explained by overlap 0." in page.text
    assert "Explained by overlap 0." in page.draw().text


def test_a_run_opens_in_the_playground_with_its_answers_and_asks_no_model():
    run, prompts = record("compact", chat=True)
    page = Trace(query_str="Mine?", mode="refine", chunks=["One of mine."]).show(run)
    page.go("Open as a run", "app.py")
    assert f"<b>compact</b> made <b>{len(prompts)} calls</b>" in page.text
    trace = page.job.trace
    assert plans.answers(trace) == plans.answers(run)
    assert plans.prompts(trace) == plans.prompts(run)
    assert [call.seconds for call in trace.calls] == [call.seconds for call in run.calls]
    assert trace.response == run.response
    assert trace.seconds == run.seconds
    assert trace.lost_tokens == 0
    assert trace.calls[0].origins[0].kind == "chunk"
    assert "out of date" not in page.text
    assert page.at.button(key="undo_chunks").label == r"Undo the trace “live\.jsonl”"
    page.press("undo_chunks")
    settings = page.settings
    assert settings.query_str == "Mine?"
    assert settings.chunks == from_texts(["One of mine."], "test")
    assert (settings.mode, settings.model) == ("refine", "offline")


def test_an_opened_run_is_saved_like_any_run():
    run, _ = record("refine")
    page = Trace().show(run).go("Open as a run", "app.py")
    id = find_latest(current_store(), page.space.id, "Playground")
    saved = load_run(current_store(), page.space.id, id)
    assert saved.request == page.job.request
    assert plans.answers(saved.trace) == plans.answers(run)
    assert saved.info.dollars is None  # what another application paid
    assert page.job.dollars is None  # nor does it become known when the run goes on, or comes back
    assert start.reopen(saved).info.kind == "from a file"
    assert saved.info.model == "small, else offline"
    assert saved.info.seconds >= run.seconds


def test_the_text_by_which_a_template_is_compared_can_be_dropped():
    run, _ = record("compact", chat=True)
    page = Trace().show(run).go("Open as a run", "app.py")
    page.reach("compare_by_this")
    assert "compares this template by another text, which came with a trace" in page.text
    page.press("Compare it by this text")
    assert "changed since: the text by which LlamaIndex compares a template." in page.text
    assert "another text, which came" not in page.text


def test_run_again_takes_the_recorded_answers():
    run, _ = record("tree_summarize", chat=True)
    page = Trace().show(run).go("Open as a run", "app.py")
    page.finish()
    assert all(call.replayed for call in page.job.trace.calls)
    assert page.job.trace.response == run.response
    log = page.space.values[keys.RECORDED]
    assert {number: one.prompt_hash for number, one in log.items()} == {
        call.number: prompt_hash(call.prompt) for call in run.calls
    }


def test_compare_begins_with_the_recorded_run_whose_answers_are_there():
    run, _ = record("compact", chat=True)
    page = Trace().show(run).go("Compare with other modes", "pages/compare.py")
    [found] = page.space.holding(ComparedRuns).jobs.values()
    assert found.trace.response == run.response
    assert plans.answers(found.trace) == plans.answers(run)
    first, *others = page.space.values[keys.COLUMNS]
    assert (first.override("mode"), first.override("model")) == ("compact", "recorded")
    assert [column.override("model") for column in others] == [None] * 3
    assert "Run the other 3" in {button.label for button in page.draw().at.button}


def test_a_failed_run_opens_with_its_failure_and_can_be_resumed():
    run, _ = record("accumulate")
    first, second, *_ = run.calls
    broken = (first, replace(second, answer=None, error="It failed.", error_kind="ModelError"))
    page = Trace().show(replace(run, calls=broken, response=None))
    assert "Verified" in page.text
    page.go("Open as a run", "app.py")
    assert "Call 2 failed. 1 answer is kept." in page.text
    page.finish("resume")
    assert page.job.trace.response is not None
    assert page.job.trace.calls[0].answer == run.calls[0].answer


def test_recorded_answers_are_offered_only_with_a_trace():
    offered = "Recorded"
    assert offered not in Playground().find("model").options
    page = Trace().upload(SDK).see().go("Open as a run", "app.py")
    assert offered in page.find("model").options
    assert page.find("model").value == "recorded"


def test_the_pages_hold_the_verified_runs_of_recorded_applications():
    """Their prompts are those that were recorded, and their answers too."""
    verified = [run for _, run in runs_of(CORES[0]) if run.mode != IMPORTED and run.verify().equal]
    held = [run for run in verified if why_not_held(run) is None]
    assert len(held) > 0.9 * len(verified)
    assert {run.mode for run in held} == {*CALLING}
    for run in held:
        trace = trace_of(run)
        assert plans.prompts(trace) == plans.prompts(run)
        assert plans.answers(trace) == plans.answers(run)
        assert trace.response == run.response


def test_a_stream_whose_empty_answer_replaced_another_is_not_held():
    run, _ = record("refine", streaming=True)
    answers = iter(["One.", "", "Three.", "Four."])
    streamed = run.synthesizer(llm=FunctionLLM(lambda prompt: next(answers)))
    run = replace(run, calls=streamed.run(run.query, run.texts).calls)
    assert run.verify().equal
    assert "It was streamed, which the pages don't do." in why_not_held(run)
    assert [call.origins[-1].number for call in trace_of(run).calls] == [1, 2, 3, 4]
