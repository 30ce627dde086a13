"""Whatever the database does while a run goes on and ends, the run is saved in the end."""

import pytest

from tests.ui.store import troubles
from tests.ui.store.troubles import TROUBLES, Trouble
from ui.store import store as stores
from ui.workspaces import saving

pytestmark = pytest.mark.slow

HELD = 0.6
"""Seconds for which a trouble goes on; a writer waits a third of it."""


@pytest.fixture(autouse=True)
def _quickly(monkeypatch):
    monkeypatch.setattr(stores, "_PATIENCE", HELD / 3)
    monkeypatch.setattr(stores, "_AGAIN_AFTER", 0.0)
    monkeypatch.setattr(saving, "_SAID_AFTER", 0.0)


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.id)
def test_a_run_is_saved_in_the_end(request, trouble: Trouble, tmp_path):
    cluster = request.getfixturevalue("server") if trouble.server == "postgresql" else None
    with troubles.place_of(trouble, tmp_path, cluster) as place:
        came = troubles.outcome(trouble, place, HELD if trouble.seconds else 0.0, 0.05)
    assert came.saved == came.given > 5
    assert trouble.says in came.said
    if trouble.says:
        assert "Not" not in came.said  # the head of the box says it
        assert "the run “What held the pool?” with" in came.said
        assert "leave the server running" in came.said
