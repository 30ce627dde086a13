"""Each test has a store of its own, in SQLite and in PostgreSQL where it says so."""

import pytest

from tests.ui.store.conftest import (  # noqa: F401
    place,
    pytest_generate_tests,
    server,
    store,
    url,
)


@pytest.fixture
def history(store):  # noqa: F811
    return store
