"""What leaves the memory of the server while a tab stays open, and comes back when it goes on."""

import asyncio
import time
from types import SimpleNamespace

import pytest

from tests.ui.page import Playground
from ui.kept import saving
from ui.kept.saving import saver
from ui.session import keys, workspace

QUESTION = "What did the bees do in May?"


@pytest.fixture
def left():
    """A function that lets a workspace be saved and forgotten, as if nobody had been there."""

    def leave(page):
        saver().save()
        page.space.seen = time.monotonic() - 310
        saver().turn()
        assert page.space not in workspace.registry().all()

    return leave


def back(page):
    """The workspace that stands in memory for the one of the page."""
    [space] = [one for one in workspace.registry().all() if one.id == page.space.id]
    assert space is not page.space
    return space


def test_an_edit_in_a_tab_that_was_idle_finds_its_workspace(left):
    page = Playground(query_str=QUESTION, chunks=["The bees swarmed in May."])
    left(page)
    page.enter("context_window", 1_234)
    settings = back(page).values[keys.SETTINGS]
    assert (settings.query_str, settings.context_window) == (QUESTION, 1_234)
    assert page.at.session_state[keys.WORKSPACE] == page.space.id


def test_a_workspace_that_can_not_be_saved_stays(monkeypatch):
    page = Playground(query_str=QUESTION)
    monkeypatch.setattr(saver(), "has_saved", lambda space: False)
    page.space.seen = time.monotonic() - 310
    saver().turn()
    assert page.space in workspace.registry().all()


@pytest.mark.slow
def test_another_tab_does_not_bring_a_workspace_back_by_an_edit(left):
    """Only a page that is opened may ask the database for a workspace it was not in."""
    page = Playground(query_str=QUESTION)
    other = Playground()
    left(page)
    other.at.query_params["w"] = page.space.id
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workspace.registry(), "bring_back", pytest.fail)
        other.set(context_window=1_234)


async def test_sessions_that_were_left_too_long_ago_are_let_go(monkeypatch):
    """The names of Streamlit that are used are still there, and do what they are used for."""
    from streamlit.runtime.memory_session_storage import MemorySessionStorage  # noqa: PLC0415

    storage = MemorySessionStorage(ttl_seconds=0)
    storage.save(SimpleNamespace(session=SimpleNamespace(id="left")))
    assert len(storage._cache._data) == 1
    running = SimpleNamespace(
        _session_mgr=SimpleNamespace(_session_storage=storage),
        _get_async_objs=lambda: SimpleNamespace(eventloop=asyncio.get_running_loop()),
    )
    monkeypatch.setattr(saving.runtime, "get_instance", lambda: running)
    saving._let_sessions_go()
    await asyncio.sleep(0)
    assert not storage._cache._data
