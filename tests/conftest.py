"""Hypothesis: the same dice every time, and the profiles for other ones.

Hypothesis also tries constants of the modules that a process has loaded by then, so a test alone
may have other examples than among all.

`--hypothesis-profile=check` tries a share of them, `--hypothesis-profile=fresh` new ones,
and `--hypothesis-profile=deep` many more.
"""

import asyncio
import gc
import os
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from benchmarks.served import served
from synth.modes.registry import MODES, load_plugins
from synth.text.model_tokenizers import get_tokenizer
from synth.text.tokenizer import Tokenizer
from tests import threads
from tests.examples import ALL

asyncio.set_event_loop(None)  # else LlamaIndex takes one that nobody closes
gc.disable()  # what is imported for the tests stays: looking for garbage there takes seconds

CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"

COMMON: dict[str, Any] = {
    "deadline": None,
    "derandomize": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("default", settings(**COMMON), max_examples=ALL)
settings.register_profile("fresh", settings(**{**COMMON, "derandomize": False}), max_examples=ALL)
settings.register_profile("check", settings(**COMMON), max_examples=ALL // 20)
settings.register_profile("deep", settings(**COMMON), max_examples=34 * ALL)
settings.load_profile("default")


@pytest.hookimpl(optionalhook=True)  # no plugin asks where tests run in one process
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """With `-n auto` one more than cores: tests in a browser wait for a third of their time."""
    return (config.option.numprocesses == "auto") + (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _history(tmp_path_factory) -> Iterator[None]:
    """What pages save goes into a database of the tests, not into that of the user."""
    with pytest.MonkeyPatch.context() as patch:
        file = tmp_path_factory.mktemp("history") / "history.sqlite3"
        patch.setenv("SYNTH_DATABASE_URL", f"sqlite:///{file}")
        yield


@pytest.fixture(autouse=True)
def _no_thread_outlives_its_test() -> Iterator[None]:
    """A test ends the threads that it starts; those that pages have started are ended here."""
    before, known = set(threading.enumerate()), threads.workspaces()
    yield
    threads.end_what_pages_started(known)
    if found := threads.left(before):
        pytest.fail(f"These threads outlive their test:\n{threads.words(found)}", pytrace=False)


@pytest.fixture(scope="session")
def app_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("app") / "history.sqlite3"


@pytest.fixture(scope="session")
def app_url(app_database: Path) -> Iterator[str]:
    with served("server.py", app_database) as app:
        yield app.url


@pytest.fixture
def cl100k() -> Tokenizer:
    return get_tokenizer("cl100k_base")


@pytest.fixture
def vote(tmp_path, monkeypatch):
    """The custom mode that CONTRIBUTING.md prints, loaded as a plugin."""
    [code] = re.findall(r"```python\n(.*?class Vote.*?)```", CONTRIBUTING.read_text("utf-8"), re.S)
    (tmp_path / "vote.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("SYNTH_PLUGINS", "vote")
    load_plugins()
    yield MODES["vote"]
    del MODES["vote"], sys.modules["vote"]
