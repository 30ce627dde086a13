"""Each test has a history of its own, in SQLite and in PostgreSQL where it says so."""

from tests.ui.history.conftest import history, place, server, url  # noqa: F401
