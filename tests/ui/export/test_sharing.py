"""A workspace as an address, as a link and as a file; the last two make a copy."""

import json
from dataclasses import replace

import pytest

from synth.errors import SynthError
from synth.export import links
from tests.fake_openai import Failure, FakeOpenAI
from tests.ui.page import Playground, endpoint, settings_in
from tests.ui.store.test_kept import VALUES
from tests.ui.test_runs import Runs
from ui.export.share import run_downloads
from ui.runs.branches import Runs as RunsOfPlayground
from ui.session import keys, workspace
from ui.settings.schema import DEFAULT
from ui.store import run_json
from ui.store import runs as saved_runs
from ui.store.run_json import Run
from ui.store.runs import Filter
from ui.store.store import current_store
from ui.store.tables import RunInfo
from ui.workspaces import files, opening, saving
from ui.workspaces.files import WorkspaceFile
from ui.workspaces.values import from_json

pytestmark = pytest.mark.slow

SECRET = "PLANTED"


def run_of(page):
    return Run(RunInfo(edited=page.job.info.edited), page.job.request, page.job.trace)


@pytest.fixture(scope="module")
def ran():
    return Playground(query_str="What was the pool?", mode="refine").finish()


def test_a_workspace_is_read_back_from_its_file():
    back = files.read(files.write(WorkspaceFile(VALUES)))
    assert back.values == from_json(files.select_shared(VALUES))
    assert back.values == {name: VALUES[name] for name in VALUES if name != keys.DISPLACED}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"values": {"context_window": "wide"}}, "value context_window has a wrong field"),
        ({"values": {"api_key": SECRET}}, "wrong field, api_key: there is no such value"),
        (
            {"values": {"mode": "a mode that is gone"}},
            "wrong field, mode: there is no a mode",
        ),
        ({"values": 7}, "wrong field, values"),
        ({"more": 1}, "wrong field, more"),
        ({"kind": "recipe"}, "holds a recipe; a run or a workspace"),
        ({"version": 2}, "has version 2, and this program reads versions up to 1"),
    ],
)
def test_a_wrong_field_is_named(change, said):
    data = (
        json.loads(
            files.write(WorkspaceFile({keys.SETTINGS: DEFAULT.with_({"context_window": 900})}))
        )
        | change
    )
    with pytest.raises(SynthError, match=said):
        files.read(json.dumps(data))


def test_a_link_opens_a_new_workspace_with_the_same_inputs():
    settings = {"query_str": "Why?", "context_window": 900, "mode": "refine"}
    text = files.write(WorkspaceFile({keys.SETTINGS: DEFAULT.with_(settings)}), None)
    before = set(workspace.registry().spaces)
    page = Playground()
    page.open(w="", open=links.pack(text))
    [id] = set(workspace.registry().spaces) - before - {page.space.id}
    assert page.at.query_params["w"] == id
    assert opening.LINK not in page.at.query_params
    assert page.find("context_window").value == 900
    assert page.at.text_area(key="query_str").value == "Why?"


def test_a_link_that_cannot_be_opened_is_told_and_loses_nothing():
    page = Playground(query_str="Mine?")
    page.open(open=links.pack('{"kind": "workspace"}'))
    assert "This link can&#39;t be opened." in page.text
    assert page.at.text_area(key="query_str").value == "Mine?"


def test_the_file_of_a_run_opens_as_it_was(ran):
    space = opening.in_new_workspace(run_json.write_file(run_of(ran)))
    job = space.holding(RunsOfPlayground).job
    job.wait()
    assert not job.unsaved
    assert (job.request, job.trace) == (ran.job.request, ran.job.trace)
    page = Playground.of(space)
    assert "made <b>" in page.text
    assert "Changed since" not in page.text
    assert settings_in(space).query_str == "What was the pool?"


def test_the_popover_shows_the_link_with_its_size_and_the_files():
    page = Playground(query_str="Why?")
    page.set(share=True)
    [link] = [one.value for one in page.at.code if opening.LINK in one.value]
    letters = link.partition(f"{opening.LINK}=")[2]
    assert files.read(links.unpack(letters)).values == {
        keys.SETTINGS: DEFAULT.with_({"query_str": "Why?"})
    }
    assert f"{len(letters)} characters of at most 7,000" in page.text
    assert page.downloads == ["Workspace as JSON"]
    assert "Whoever has the address of this page may read, change and delete all" in page.said


def test_a_run_keeps_its_name_its_note_and_its_time_in_files(ran):
    history = current_store()
    saved_runs.change(history, ran.space.id, [ran.job.run], name="The pool")
    saved_runs.change(history, ran.space.id, [ran.job.run], note="Look again.")
    [file] = [one for one in run_downloads(ran.job, ran.job.trace) if one.label == "Run as JSON"]
    taken = replace(files.read(file.make()), trace=replace(ran.job.trace, seconds=40.0))
    single = opening.in_new_workspace(run_json.write_file(taken))
    single.holding(RunsOfPlayground).job.wait()
    [saved] = saved_runs.find(history, single.id, Filter(words="look AGAIN")).runs
    assert (saved.name, saved.note) == ("The pool", "Look again.")
    assert saved.seconds >= 40


def test_a_workspace_that_is_too_large_says_so():
    chunks = [" ".join(str(number * 7_919 % 100_003) for number in range(4_000))]
    page = Playground(chunks=chunks)
    page.set(share=True)
    assert "too large for a link" in page.text
    assert "7,000 is the limit" in page.text


def test_what_a_file_of_an_older_program_has_and_no_page_is_named():
    older = {"kind": "workspace", "version": 1, "values": {"judge": {}, "judge_repeats": 3}}
    page = Playground().open(w="", open=links.pack(json.dumps(older)))
    assert "no such thing any more: the judge of Compare." in page.text


@pytest.fixture
def page():
    """A workspace in which somebody has run something, and all of it saved."""
    made = Playground(query_str="What was the pool?", base_url="http://127.0.0.1:9/v1").finish()
    saving.saver().save()
    return made


@pytest.mark.parametrize("in_memory", [True, False])
def test_another_session_at_the_address_is_in_the_same_workspace(page, in_memory):
    if not in_memory:  # as on a server that was started anew
        workspace.registry().spaces.pop(page.space.id)
    other = Playground.of(page.space)
    assert other.at.query_params["w"] == page.space.id
    assert not other.at.error
    space = workspace.registry().spaces[page.space.id]
    assert settings_in(space).query_str == "What was the pool?"
    assert space.holding(RunsOfPlayground).job.run == page.job.run
    assert Runs.of(space).questions == ["What was the pool?"]


def test_a_file_of_a_failed_run_does_not_name_its_server():
    with FakeOpenAI(Failure(400, "no such tool")) as server:
        job = endpoint(server, mode="generation").finish().job
    assert "127.0.0.1" in repr((job.request, job.trace))
    assert "127.0.0.1" not in run_json.write_file(Run(RunInfo(), job.request, job.trace))


def test_nothing_is_saved_of_a_visit():
    page = Playground()
    saving.saver().save()
    assert saved_runs.load_workspace(current_store(), page.space.id) == {}
    assert saved_runs.find_latest_workspace(current_store()) != page.space.id
