"""Traces that are opened on Runs: what is said of them, and the ways to other pages."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from llama_index.core.llms import ChatMessage
from llama_index.core.prompts import ChatPromptTemplate

from tests.traces.test_containers import BROKEN
from tests.traces.test_fitting import helper
from tests.traces.test_live import record
from tests.traces.test_other_traces import CHAIN, FOUND, llm, span, text
from tests.ui.page import Page
from ui.imported.opened_file import OpenedFile, OpenedRun

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[1] / "traces" / "examples"
SDK = (EXAMPLES / "sdk.jsonl").read_bytes()
VERIFIED = "Verified: this app computes the same 2 prompts</b>"


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
    assert '<dt>chunks</dt><dd dir="auto">2, all with a score · metadata file</dd>' in page.text
    assert not page.buttons["Open as a run"].disabled
    page.press("All runs").set(ticked_runs=["file-0"]).press("delete_runs")
    assert "No run is saved yet." in page.text
    page.upload(SDK).tell("clicks", "clicked", "open file-0")
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
    assert "nothing is computed and nothing is claimed" in page.text
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
    assert "Differs at call 2 of" in page.text
    assert "Call 1 is equal." in page.text
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
    assert "Differs at call 1" in text
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
    monkeypatch.setattr("ui.imported.opened_file._SHORT_SEARCH", 10)
    page = Trace().show(run)
    assert "trying them may take up to a minute" in page.text
    assert "Explained by" not in page.text
    page.press("Try other settings")
    assert "Explained by overlap 0." in page.text
    assert "Explained by overlap 0." in page.draw().text


def test_a_planted_key_is_nowhere_on_the_page_or_in_the_workspace():
    rows = [json.loads(line) for line in SDK.decode().splitlines()]
    for row in rows:
        row["attributes"] |= {"user.id": "sk-secret", "http.headers.authorization": "sk-secret"}
    page = Trace().upload(json.dumps(rows).encode()).see()
    assert VERIFIED in page.text
    page.press("Compare with other modes")
    assert "sk-secret" not in page.html + repr(page.space.values) + repr(page.run.run)
