"""`synth app --class`, which `make class` starts: others in the network reach the pages."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import pytest

from benchmarks.served import free_ports
from synth.errors import SynthError
from synth.terminal.app import network_address
from tests.eventually import eventually

ROOT = Path(__file__).parents[2]


def test_the_command_answers_at_the_address_that_the_machine_has_in_its_network(tmp_path):
    try:
        address = network_address()
    except SynthError as problem:
        pytest.skip(str(problem))
    assert not address.startswith("127.")
    assert "synth app --class" in (ROOT / "Makefile").read_text("utf-8")
    port = free_ports(1)
    synth = "from synth.terminal.command import main; main()"
    command = [sys.executable, "-c", synth, "app", "--class", "--port", str(port)]
    environment = {**os.environ, "SYNTH_DATABASE_URL": f"sqlite:///{tmp_path}/class.sqlite3"}
    url = f"http://{address}:{port}"
    opener = build_opener(ProxyHandler({}))

    def answers():
        assert server.poll() is None
        try:
            return opener.open(f"{url}/class").status == 200
        except OSError:
            return False

    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            eventually(answers, "another address answers")
        finally:
            server.terminate()
        assert url in server.stdout.read()
