"""Functions that are called in a process of their own, which is ended when they take too much."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from loky import process_executor
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
        time.sleep(0.05)


def _end_soon(file: Path) -> None:
    file.write_text(str(os.getpid()))
    time.sleep(0.3)


_held: list[bytes] = []


def _grow() -> int:
    process_executor._MEMORY_LEAK_CHECK_DELAY = 0
    _held.append(b"x" * 400_000_000)
    return os.getpid()


def _let_go() -> int:
    _held.clear()
    return os.getpid()


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


def leave(function, file, monkeypatch):
    """Call it for a tab that waits no longer once it writes the file."""

    class Closed:
        session_id = "a tab"

        def yield_check(self) -> None:
            if file.exists():
                raise StopException

    with monkeypatch.context() as patch:
        patch.setattr(module, "get_script_run_ctx", lambda suppress_warning: Closed())
        with pytest.raises(StopException):
            apart(function, file)


def test_a_function_that_nobody_waits_for_is_ended(tmp_path, monkeypatch):
    leave(_never_end, tmp_path / "process", monkeypatch)
    assert apart(os.getpid) != int((tmp_path / "process").read_text())
    eventually(lambda: _has_ended(tmp_path / "process"), "the process has ended")


def test_who_comes_soon_after_finds_the_process_and_what_it_remembers(tmp_path, monkeypatch):
    leave(_end_soon, tmp_path / "process", monkeypatch)
    assert apart(os.getpid) == int((tmp_path / "process").read_text())


def test_an_edit_waits_for_the_process_that_knows_the_texts_of_its_tab(tmp_path, monkeypatch):
    class Tab:
        session_id = "a tab"

        def yield_check(self) -> None:
            pass

    monkeypatch.setattr(module, "get_script_run_ctx", lambda suppress_warning: Tab())
    with ThreadPoolExecutor(1) as pool:
        pool.submit(apart, _end_soon, tmp_path / "process")
        eventually((tmp_path / "process").exists, "the process has begun")
        assert apart(os.getpid) == int((tmp_path / "process").read_text())


def test_a_process_that_remembers_400_mb_is_not_started_anew():
    assert apart(_grow) == apart(_let_go)


def test_whoever_waits_for_others_is_not_refused(monkeypatch):
    """The last of five waits longer than any of them may take."""
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(apart, [os.getpid] * 2))  # a process takes a moment to start
        monkeypatch.setattr(module, "SECONDS", 3.0)
        waits = [pool.submit(apart, time.sleep, 2.0) for _ in range(5)]
        assert [wait.result() for wait in waits] == [None] * 5
