"""The hostile sessions of the benchmark still find what they press."""

import pytest

from benchmarks import hostile


@pytest.mark.parametrize("session", hostile.SESSIONS, ids=lambda session: session.name)
async def test_a_session_finds_what_it_presses(session, app_url, monkeypatch):
    monkeypatch.setattr(hostile, "_CHUNKS", 2)
    monkeypatch.setattr(hostile, "_BROWSERS", 2)
    await session.act(app_url)
