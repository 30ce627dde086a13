"""Each test has a store of its own, in SQLite and in PostgreSQL where it says so."""

import pytest

from tests.ui.store.conftest import place, server, store, url  # noqa: F401


@pytest.fixture
def history(store):  # noqa: F811
    """The store, by a name that no module has here."""
    return store
