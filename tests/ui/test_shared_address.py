"""Whoever has the address of a workspace is in it; a link or a file of it makes a copy."""

import pytest

from synth.errors import ImportedRunError
from tests.fake_openai import Failure, FakeOpenAI
from tests.ui.page import Playground, endpoint, settings_in
from tests.ui.test_runs import Runs
from ui.kept import files, saving
from ui.kept.values import from_json
from ui.runs.branches import Runs as RunsOfPlayground
from ui.session import workspace
from ui.store import run_json, workspaces
from ui.store.run_json import Run
from ui.store.store import current_store
from ui.store.tables import RunInfo

pytestmark = pytest.mark.slow


@pytest.fixture
def page():
    """A workspace in which somebody has run something, and all of it saved."""
    made = Playground(query_str="What was the pool?", base_url="http://127.0.0.1:9/v1").finish()
    saving.saver().save()
    return made


@pytest.mark.parametrize(
    ("in_memory", "own"),
    [(True, {}), (False, {"own": "0" * 64})],  # of a link that older versions gave
)
def test_another_session_at_the_address_is_in_the_same_workspace(page, own, in_memory):
    if not in_memory:  # as on a server that was started anew
        workspace.registry().spaces.pop(page.space.id)
    other = Playground.of(page.space, **own)
    assert other.at.query_params["w"] == page.space.id
    assert not other.at.error
    space = workspace.registry().spaces[page.space.id]
    assert settings_in(space).query_str == "What was the pool?"
    assert space.holding(RunsOfPlayground).job.run == page.job.run
    assert Runs.of(space).questions == ["What was the pool?"]


def test_share_says_so(page):
    page.set(share=True)
    assert "whoever has it may read, change and delete all that is here" in page.said


def test_a_file_of_a_failed_run_does_not_name_its_server():
    with FakeOpenAI(Failure(400, "no such tool")) as server:
        job = endpoint(server, mode="generation").finish().job
    assert "127.0.0.1" in repr((job.request, job.trace))
    assert "127.0.0.1" not in run_json.write_file(Run(RunInfo(), job.request, job.trace))


def test_whose_a_workspace_was_is_left_out_where_an_older_version_saved_it():
    workspaces.save(current_store(), "older", {"owners": ["a" * 64], "query_str": "Whose?"})
    assert "owners" not in from_json(workspaces.load(current_store(), "older"))
    page = Playground().open(w="older")
    assert page.at.query_params["w"] == "older"
    assert page.widgets["query_str"].value == "Whose?"
    forged = files.written(files.WorkspaceFile({})).replace(
        '"values": {', '"values": {"owners": ["a"]'
    )
    with pytest.raises(ImportedRunError, match="owners: there is no such value"):
        files.read(forged)


def test_nothing_is_saved_of_a_visit():
    page = Playground()
    saving.saver().save()
    assert workspaces.load(current_store(), page.space.id) == {}
    assert workspaces.find_latest(current_store()) != page.space.id
