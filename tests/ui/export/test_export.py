"""What Share has of a run and of a plan; a workspace as an address, as a link and as a file."""

import pytest

from synth.export.files import pack, unpack
from synth.export.programs import Contract
from tests.fake_openai import Failure, FakeOpenAI
from tests.ui.page import Playground, endpoint
from tests.ui.store.test_kept import VALUES
from ui.export.run_files import run_downloads
from ui.session import keys, workspace
from ui.settings.schema import DEFAULT
from ui.store import rows
from ui.store import runs as saved_runs
from ui.store.rows import Run, RunInfo
from ui.store.store import current_store
from ui.workspaces import files, opening, saving
from ui.workspaces.files import from_json

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


def test_a_workspace_is_read_back_from_its_file():
    back = files.read(files.write(VALUES))
    assert back == from_json(files.select_shared(VALUES))
    assert back == VALUES


def test_a_link_opens_a_new_workspace_with_the_same_inputs():
    settings = {"query_str": "Why?", "context_window": 900, "mode": "refine"}
    text = files.write({keys.SETTINGS: DEFAULT.with_(settings)}, None)
    before = set(workspace.registry().spaces)
    page = Playground()
    page.open(w="", open=pack(text))
    [id] = set(workspace.registry().spaces) - before - {page.space.id}
    assert page.at.query_params["w"] == id
    assert opening.LINK not in page.at.query_params
    assert page.find("context_window").value == 900
    assert page.at.text_area(key="query_str").value == "Why?"


def test_a_link_that_cannot_be_opened_is_told_and_loses_nothing():
    page = Playground(query_str="Mine?")
    page.open(open=pack('{"kind": "workspace"}'))
    assert "This link can&#39;t be opened." in page.text
    assert page.at.text_area(key="query_str").value == "Mine?"


def test_the_popover_shows_the_link_with_its_size_and_the_files():
    page = Playground(query_str="Why?")
    page.set(share=True)
    [link] = [one.value for one in page.at.code if opening.LINK in one.value]
    letters = link.partition(f"{opening.LINK}=")[2]
    assert files.read(unpack(letters)) == {keys.SETTINGS: DEFAULT.with_({"query_str": "Why?"})}
    assert f"{len(letters)} characters of at most 7,000" in page.text
    assert page.downloads == ["Workspace as JSON"]
    assert "Whoever has the address of this page may read, change and delete all" in page.said


def test_a_workspace_that_is_too_large_says_so():
    chunks = [" ".join(str(number * 7_919 % 100_003) for number in range(4_000))]
    page = Playground(chunks=chunks)
    page.set(share=True)
    assert "too large for a link" in page.text
    assert "7,000 is the limit" in page.text


def test_a_file_of_a_failed_run_does_not_name_its_server():
    with FakeOpenAI(Failure(400, "no such tool")) as server:
        job = endpoint(server, mode="generation").finish().job
    assert "127.0.0.1" in repr((job.request, job.trace))
    assert "127.0.0.1" not in rows.write_file(Run(RunInfo(), job.request, job.trace))


def test_nothing_is_saved_of_a_visit():
    page = Playground()
    saving.saver().save()
    assert saved_runs.load_workspace(current_store(), page.space.id) == {}
    assert saved_runs.find_latest_workspace(current_store()) != page.space.id
