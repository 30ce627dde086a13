"""A server that is stopped while it still starts ends without a word of alarm."""

import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from time import sleep

import pytest

from benchmarks.served import free_ports
from tests.eventually import eventually

ROOT = Path(__file__).parents[2]


def answers(port):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=60).close()
    except OSError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("later", [0.0, 0.4])
@pytest.mark.skipif(os.name != "posix", reason="Windows has no SIGTERM")
def test_a_server_that_is_stopped_soon_prints_no_traceback(tmp_path, later):
    port = free_ports(1)
    options = ["--server.address", "127.0.0.1", "--server.port", str(port)]
    command = [sys.executable, "-m", "streamlit", "run", "server.py", *options]
    database = {"SYNTH_DATABASE_URL": f"sqlite:///{tmp_path / 'history.sqlite3'}"}
    with subprocess.Popen(
        [*command, "--server.headless", "true"],
        cwd=ROOT,
        env=os.environ | database,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        eventually(lambda: answers(port), "an answer")
        sleep(later)
        server.send_signal(signal.SIGTERM)
        said, _ = server.communicate(timeout=60)
    assert "Traceback" not in said
    assert "rror" not in said
