"""Each test of the store has tables of its own: in SQLite, and in a schema of PostgreSQL."""

from collections.abc import Iterator
from itertools import count

import pytest
from sqlalchemy import create_engine, make_url, text

from tests.ui.store import postgresql
from tests.ui.store.postgresql import Cluster
from tests.ui.store.recorded import renewed
from ui.store.store import ADDRESS, Store
from ui.workspaces.saving import Saver

_numbers = count(1)


@pytest.fixture(autouse=True)
def _saved_when_a_test_says_so(monkeypatch) -> None:
    monkeypatch.setattr(Saver, "start", lambda self: None)


@pytest.fixture(scope="session")
def server() -> Iterator[Cluster]:
    if (reason := postgresql.missing()) is not None:
        pytest.skip(reason)
    with postgresql.cluster() as cluster:
        yield cluster


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Try a test with both databases, or with those that its module names."""
    if "url" in metafunc.fixturenames:
        names = getattr(metafunc.module, "DATABASES", ["sqlite", "postgresql"])
        metafunc.parametrize("url", names, indirect=True)


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path) -> str:
    """The address of a database without any tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'history.sqlite3'}"
    first = request.getfixturevalue("server").url
    name = f"test_{next(_numbers)}"
    engine = create_engine(first, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))  # a database would take 300 files
    engine.dispose()
    found = make_url(first).update_query_dict({"options": f"-csearch_path={name}"})
    return found.render_as_string(hide_password=False)


@pytest.fixture
def place(url, monkeypatch) -> str:
    """That address as the one that the server uses, which has not opened it yet."""
    monkeypatch.setenv(ADDRESS, url)
    renewed(monkeypatch)
    return url


@pytest.fixture
def store(place, monkeypatch) -> Iterator[Store]:
    made = renewed(monkeypatch)
    yield made
    made.close()


@pytest.fixture
def other(store, place) -> Iterator[Store]:
    made = Store(make_url(place))
    made.database()
    yield made
    made.close()
