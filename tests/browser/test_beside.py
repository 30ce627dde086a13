"""The hostile sessions of the benchmark still find what they press, and what a page says."""

import pytest

from benchmarks import dropped, hostile
from tests.hostile import Hostile, Questions, Trace, Upload


@pytest.mark.parametrize("session", hostile.SESSIONS, ids=lambda session: session.name)
async def test_a_session_finds_what_it_presses(session, app_url, monkeypatch):
    monkeypatch.setattr(hostile, "_CHUNKS", 2)
    monkeypatch.setattr(hostile, "_BROWSERS", 2)
    await session.act(app_url)


@pytest.mark.parametrize("read", [Upload("a.txt"), Questions("a.json"), Trace("a.json")], ids=repr)
async def test_what_a_page_says_of_a_file_is_found(read, app_url):
    row = Hostile("no text", lambda: b"\xff\x00", read, "")
    assert await dropped._dropped(row, app_url)
