"""Functions that are called in a process of their own, which is ended when they take too much."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from streamlit.runtime.scriptrunner import StopException

from synth.errors import SynthError
from tests.eventually import eventually
from ui.session import apart as module
from ui.session.apart import TookTooMuch, apart

pytestmark = pytest.mark.slow


def _refuse(text: str) -> None:
    raise SynthError(text)


def _fill_memory() -> int:
    return len(bytearray(2 * module.MEMORY))


def _never_end(file: Path) -> None:
    file.write_text(str(os.getpid()))
    while True:
        pass


def _has_ended(file: Path) -> bool:
    try:
        os.kill(int(file.read_text()), 0)
    except ProcessLookupError:
        return True
    return False


def test_a_function_gives_its_result_or_its_error():
    assert apart(os.getpid) != os.getpid()
    with pytest.raises(SynthError, match="no such file"):
        apart(_refuse, "no such file")


def test_memory_has_a_bound():
    with pytest.raises(TookTooMuch, match="more than 1 GB"):
        apart(_fill_memory)
    assert apart(abs, -1) == 1


def test_a_function_that_never_ends_is_ended(tmp_path, monkeypatch):
    apart(os.getpid)  # a process takes a moment to start
    monkeypatch.setattr(module, "SECONDS", 3.0)
    with pytest.raises(TookTooMuch, match="more than 3 seconds"):
        apart(_never_end, tmp_path / "process")
    eventually(lambda: _has_ended(tmp_path / "process"), "the process has ended")


def test_a_function_that_nobody_waits_for_is_ended(tmp_path, monkeypatch):
    class Closed:
        def yield_check(self) -> None:
            if (tmp_path / "process").exists():
                raise StopException

    monkeypatch.setattr(module, "get_script_run_ctx", lambda suppress_warning: Closed())
    with pytest.raises(StopException):
        apart(_never_end, tmp_path / "process")
    eventually(lambda: _has_ended(tmp_path / "process"), "the process has ended")


def test_whoever_waits_for_others_is_not_refused(monkeypatch):
    """The last of five waits longer than any of them may take."""
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(apart, [os.getpid] * 2))  # a process takes a moment to start
        monkeypatch.setattr(module, "SECONDS", 3.0)
        waits = [pool.submit(apart, time.sleep, 2.0) for _ in range(5)]
        assert [wait.result() for wait in waits] == [None] * 5
