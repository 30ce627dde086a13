"""What Share has of a run and of a plan."""

import pytest

from synth.export.contract import Contract
from tests.ui.page import Playground
from ui.export.share import run_downloads

pytestmark = pytest.mark.slow


def shared(**settings):
    return Playground(**settings).finish().set(share=True, contract=True)


def files_of(page):
    """The files of what the page shows, without that of the workspace."""
    return page.downloads[:-1]


def test_the_files_of_a_run():
    page = shared(mode="refine")
    labels = "Report, Calls as CSV, Run as JSON, LlamaIndex script, Contract for pytest"
    assert ", ".join(files_of(page)) == labels
    files = {one.file_name: one.make() for one in run_downloads(page.job, page.job.trace)}
    assert set(map(len, files.values())).isdisjoint({0})
    assert "refine_with_llama_index.py" in files


def test_only_what_holds_is_in_the_contract():
    page = shared(mode="simple_summarize", context_window=600)
    assert "no text of a chunk is lost" not in page.text
    assert "at most 1 call and " in page.text


def test_what_llama_index_does_otherwise_is_said():
    page = shared(mode="compact")
    contract = Contract(page.job.request, page.job.trace.log())
    calls = len(contract.prompts)
    assert calls != page.job.trace.call_count
    made = page.job.trace.call_count
    assert f"what LlamaIndex does here: {calls} calls, where this run made {made}" in page.text


def test_a_mode_without_calls_has_no_contract_and_no_table_of_calls():
    files = files_of(shared(mode="context_only"))
    assert files == ["Report", "Run as JSON", "LlamaIndex script"]


def planned(**settings):
    return Playground(**settings).set(share=True, contract=True)


def test_a_plan_leaves_as_a_contract_on_what_is_certain_also_after_an_edit():
    page = planned(mode="refine", behaviour="llama_index")
    assert files_of(page) == ["Contract for pytest"]
    assert "With empty answers, the same 12 prompts · at most 12 calls and " in page.text
    assert "no text of a chunk is lost" in page.text
    assert page.job is None
    page.set(mode="compact")
    assert "With empty answers, the same 5 prompts" in page.text
    assert "Run as JSON" in page.finish().downloads
    assert files_of(page.set(context_window=3_000)) == ["Contract for pytest"]


@pytest.mark.parametrize(
    "settings",
    [
        {"mode": "no_text"},
        {"text_qa_template": "{context_str"},
        {"mode": "refine", "context_window": 100},
    ],
)
def test_what_sends_nothing_has_no_contract(settings):
    assert files_of(planned(**settings)) == []
