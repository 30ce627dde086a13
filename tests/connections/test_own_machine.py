"""Who is at home at a server, over real connections, and one that is stopped while it starts."""

import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from itertools import count
from pathlib import Path
from time import sleep
from urllib.parse import parse_qs, urlsplit

import pytest

from benchmarks.served import free_ports, served
from benchmarks.visitor import Visitor
from tests.eventually import eventually
from tests.ui.store.recorded import WORKSPACE, leave, request_of

ROOT = Path(__file__).parents[2]
QUESTION = "Whose pump is it?"
needs_haproxy = pytest.mark.skipif(shutil.which("haproxy") is None, reason="needs HAProxy")
_numbers = count(600_000)


class Caller(Visitor):
    """A client who says of itself and of its address what it likes, from another browser.

    It keeps all that it was sent.
    """

    def __init__(self, port, host=None, origin=None, page="", says=None, **headers):
        host = host or f"127.0.0.1:{port}"
        super().__init__(
            says or f"http://localhost:{port}/",
            f"marker-{next(_numbers)}",
            "",
            page,
            uri=f"ws://{host}/_stcore/stream",
            host="127.0.0.1",
            port=port,
            origin=origin or f"http://{host}",
            additional_headers={name.replace("_", "-"): value for name, value in headers.items()},
        )
        self.seen = b""

    def _take(self, message):
        self.seen += message.SerializeToString()
        super()._take(message)

    @property
    def workspace(self):
        [name] = parse_qs(self._query)["w"]
        return name


async def got(*address, **said):
    """What this client gets: whether the workspace that was left last, and whether its run."""
    async with Caller(*address, **said) as playground:
        await playground.open()
    async with Caller(*address, page="runs", **said) as runs:
        await runs.open()
    return playground.workspace == WORKSPACE, QUESTION.encode() in runs.seen


NOTHING, ALL = (False, False), (True, True)


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """A database in which somebody left a workspace with a run."""
    file = tmp_path_factory.mktemp("saved") / "history.sqlite3"
    leave(file, request_of(query_str=QUESTION))
    return file


@pytest.fixture(scope="module")
def at_home(database):
    """The port of a server that is started as `make run` does."""
    with served("server.py", database, own_machine=True) as server:
        yield urlsplit(server.url).port


async def test_the_browser_of_ones_own_machine_opens_where_it_was_left_and_nobody_else(at_home):
    assert await got(at_home, f"localhost:{at_home}") == ALL
    for stranger in (
        {"host": f"evil.example:{at_home}"},  # a name that was bound to another address
        {"origin": "http://localhost:3000"},  # the page of another application
        {"Via": "127.0.0.1"},  # what came through a proxy
    ):
        assert await got(at_home, **stranger) == NOTHING, stranger


async def test_at_a_server_for_others_no_lie_helps(app_url, app_database):
    leave(app_database, request_of(query_str=QUESTION))
    own = urlsplit(app_url).port
    for host in (None, "localhost", "play.example"):
        assert await got(own, host) == NOTHING


@needs_haproxy
def test_several_servers_are_for_others_whatever_the_variable_says(tmp_path):
    """In the place of Python stands a program that writes down what it is told, and ends."""
    python, told = tmp_path / "python", tmp_path / "told"
    python.write_text(f'#!/bin/sh\necho "${{SYNTH_OWN_MACHINE-nothing}}" >> {told}\n')
    python.chmod(0o755)
    variables = os.environ | {"PYTHON": str(python), "SYNTH_OWN_MACHINE": "1"}
    command = ["scripts/servers.sh", "2", f"127.0.0.1:{free_ports(3)}"]
    assert subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode == 1
    assert set(told.read_text().split()) == {"nothing"}


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
