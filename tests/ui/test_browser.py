"""A workspace belongs to the browsers that have a right to it; any other gets a copy."""

import pytest

from synth.errors import ImportedRunError
from tests.fake_counting import FakeServer
from tests.fake_openai import Failure, FakeOpenAI
from tests.ui.page import Playground, endpoint, settings_in
from tests.ui.test_runs import Runs
from ui.history import history as opened
from ui.history import run_file, workspaces
from ui.history.run_file import RunFile
from ui.kept import files, saving, values
from ui.kept.values import from_json, to_json
from ui.pages.compare.ratings import Rating
from ui.runs.branches import Runs as RunsOfPlayground
from ui.session import browser, keys, workspace
from ui.session.workspace import Workspace
from ui.settings.schema import DEFAULT

pytestmark = pytest.mark.slow

COPY = "This is a copy."


class Other(Playground):
    """The Playground in another browser, at the address of somebody's workspace."""

    browser = "another browser"

    @property
    def got(self):
        """The workspace that it has."""
        return workspace.registry().spaces[self.at.query_params["w"]]


@pytest.fixture
def mine():
    """A workspace in which somebody has run something, and all of it saved."""
    page = Playground(query_str="What was the pool?", base_url="http://127.0.0.1:9/v1").finish()
    saving.saver().save()
    return page


def own_link(page):
    """The parameters of the link that Share offers for another browser."""
    page.set(share=True)
    [address] = [one.value for one in page.at.code if "own=" in one.value]
    _, _, own = address.partition(f"w={page.space.id}&own=")
    return {browser.RIGHT: own}


def test_another_browser_gets_a_copy_with_the_latest_run(mine):
    other = Other.of(mine.space)
    assert COPY in other.text
    assert COPY not in mine.draw().text
    assert other.got is not mine.space
    assert settings_in(other.got).query_str == "What was the pool?"
    job, copied = mine.job, other.got.holding(RunsOfPlayground).job
    copied.wait()
    assert copied.trace == job.trace
    assert copied.run != job.run  # it is a run of its own, so that nothing is written into another


def test_a_copy_has_what_a_file_would_have_and_no_more(mine):
    mine.space.values[keys.RATINGS] = {"Why?": Rating(True)}
    saving.saver().save()
    got = Other.of(mine.space).got
    assert files.shared(got.values) == files.shared(mine.space.values)
    assert not {"base_url", keys.RATINGS} & values.kept(got.values).keys()


def test_neither_a_copy_nor_a_file_of_a_failed_run_names_its_server():
    with FakeOpenAI(Failure(400, "no such tool")) as server:
        page = endpoint(server, mode="generation").finish()
    saving.saver().save()
    job = Other.of(page.space).got.holding(RunsOfPlayground).job
    assert "127.0.0.1" in repr((page.job.request, page.job.trace))
    assert "127.0.0.1" not in repr((job.request, job.trace))
    assert "127.0.0.1" not in run_file.written(RunFile(page.job.request, page.job.trace))


def test_a_copy_of_a_run_asks_no_server_to_count():
    """Its owner may be connected to that server, and would lend a key."""
    with FakeServer("llama.cpp") as server:
        page = endpoint(server, mode="generation").press("Test").finish()
    saving.saver().save()
    job = Other.of(page.space).got.holding(RunsOfPlayground).job
    assert page.job.request.tokenizer.startswith("server 127.0.0.1")
    assert job.request.tokenizer == job.trace.setup.tokenizer.name == "estimate o200k_base"
    assert "127.0.0.1" not in run_file.written(RunFile(page.job.request, page.job.trace))


def test_a_copy_says_why_it_lacks_a_run_that_no_file_can_hold(mine, monkeypatch):
    def refuse(_):
        raise ImportedRunError("The call 1 has a wrong field.")

    monkeypatch.setattr(run_file, "from_fields", refuse)
    other = Other.of(mine.space)
    assert COPY in other.text
    assert "The call 1 has a wrong field." in other.text
    assert settings_in(other.got).query_str == "What was the pool?"


def test_what_either_changes_stays_with_them(mine):
    other = Other.of(mine.space)
    other.enter("num_output", 99)
    mine.set(context_window=900)
    assert mine.settings.num_output == DEFAULT.num_output
    assert "context_window" not in values.kept(other.got.values)
    assert COPY in other.draw().text  # as long as the tab is open
    other.space = other.got
    other.open()  # a refresh
    assert other.got is other.space
    assert COPY not in other.text
    assert other.settings.num_output == 99


def test_runs_are_the_owners(mine):
    runs = Runs.of(mine.space)
    assert runs.questions == ["What was the pool?"]
    runs.browser = Other.browser
    runs.open()
    assert runs.at.query_params["w"] != mine.space.id
    assert runs.questions == ["What was the pool?"]  # that of the copy
    runs.set(ticked_runs=[mine.job.run]).press("delete_runs")
    assert not runs.at.dataframe
    assert [run.id for run in Runs.of(mine.space).all] == [mine.job.run]


def test_an_address_that_changes_between_two_clicks_opens_nothing(mine):
    """A client may send another address with a click, which runs before the page is drawn."""
    other = Other.of(Playground().space)
    other.at.query_params["w"] = mine.space.id
    other.at.text_area(key="query_str").set_value("Theirs?")
    other.press("mode refine")
    assert other.got is not mine.space
    assert mine.settings.query_str == "What was the pool?"
    assert "mode" not in values.kept(mine.space.values)


def test_the_link_for_another_browser_gives_the_right_and_leaves_the_address(mine):
    right = own_link(mine)
    other = Other.of(mine.space, **right)
    assert other.got is mine.space
    assert COPY not in other.text
    assert browser.RIGHT not in other.at.query_params
    assert "Whoever sent you the link can read, change and delete" in other.text
    assert "Whoever sent you the link can read, change and delete" not in mine.draw().text
    assert Other.of(mine.space).got is mine.space  # from now on
    saving.saver().save()
    workspace.registry().remove(mine.space.id)  # as on a server that was started anew
    assert Other.of(mine.space).at.query_params["w"] == mine.space.id
    assert mine.open().at.query_params["w"] == mine.space.id  # and the first still has it


@pytest.mark.parametrize("right", ["", "guessed", "another browser"])
def test_a_right_that_is_guessed_is_none(mine, right):
    other = Other.of(mine.space, own=right)
    assert other.got is not mine.space
    assert browser.RIGHT not in other.at.query_params


def test_the_right_to_one_workspace_is_none_to_another(mine):
    right = own_link(mine)
    second = Playground(query_str="Why?")
    assert Other.of(second.space, **right).got is not second.space


def test_what_is_saved_gives_nobody_a_right(mine):
    saved = workspaces.load(opened.history(), mine.space.id)
    assert own_link(mine)[browser.RIGHT] not in str(saved)
    for kept in saved[keys.OWNERS]:
        assert Other.of(mine.space, own=kept).got is not mine.space


def test_owners_are_in_no_file_and_come_from_none(mine):
    text = files.written(files.WorkspaceFile(mine.space.values))
    assert keys.OWNERS not in text
    forged = text.replace('"values": {', '"values": {"owners": ["a"],')
    with pytest.raises(ImportedRunError, match="owners: it is never shared"):
        files.read(forged)


def test_a_workspace_from_before_belongs_to_the_first_browser_that_opens_it():
    history = opened.history()
    workspaces.save(history, "from before", to_json({"query_str": "Whose?"}))
    space = Workspace("from before")
    assert Other.of(space).got.id == "from before"
    saving.saver().save()
    saved = from_json(workspaces.load(history, "from before"))
    assert len(saved[keys.OWNERS]) == 1
    assert COPY in Playground.of(space).text


def test_nothing_is_saved_of_a_visit_and_the_owner_stays_after_the_last_value():
    page = Playground()
    history = opened.history()
    saving.saver().save()
    assert workspaces.load(history, page.space.id) == {}
    page.set(context_window=900)
    saving.saver().save()
    page.set(context_window=page.settings.context_window and 1024)
    assert not values.kept(files.shared(page.space.values))
    saving.saver().save()
    assert workspaces.load(history, page.space.id).keys() == {keys.OWNERS}


def test_who_entered_nothing_and_ran_something_is_its_owner():
    page = Playground().finish()
    saving.saver().save()
    workspace.registry().remove(page.space.id)  # as if it had left memory
    assert COPY in Other.of(page.space).text


def test_on_ones_own_machine_all_is_one_persons(mine, monkeypatch):
    monkeypatch.setattr(browser, "is_own_machine", lambda: True)
    other = Other.of(mine.space)
    assert other.got is mine.space
    assert not [one.value for one in other.set(share=True).at.code if "own=" in one.value]


@pytest.mark.parametrize("cookie", ["", "short", "x" * 44, '"; alert(1); "' + "x" * 29, "é" * 43])
def test_a_cookie_that_is_no_secret_of_ours_is_replaced(monkeypatch, cookie):
    context = type("Context", (), {"cookies": {browser.COOKIE: cookie}})
    monkeypatch.setattr(browser.st, "context", context)
    monkeypatch.setattr(browser.st, "session_state", {})
    assert browser.secret() == browser.secret() != cookie
    assert len(browser.secret()) == 43
