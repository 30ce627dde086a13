"""A script of Streamlit as a user starts it, and a Chromium to use it with.

Browser tests begin with both, too.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # it takes most of a second, and only a browser needs it
    from playwright.sync_api import Browser, Playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Served(NamedTuple):
    """A running server: its address and the id of its process.

    Of several servers it is the process whose children they are.
    """

    url: str
    pid: int


@contextmanager
def served(
    script: str,
    database: Path | None = None,
    servers: int = 1,
    own_machine: bool = False,
    options: Sequence[str] = (),
    port: int | None = None,
) -> Iterator[Served]:
    """A script on this loopback port, or a free one; RuntimeError with its log if it can't start.

    What people do there is saved in a database of its own, or in the file `database`. Several
    servers stand behind HAProxy, as `scripts/servers.sh` starts them. With `own_machine` it is
    started as on the machine of its user. `options` are further ones of Streamlit, of one server.
    """
    port = port or free_ports(1 if servers == 1 else 1 + servers)
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port)]
    command += ["--server.address", "127.0.0.1", "--server.headless", "true", *options]
    if servers > 1:
        command = ["scripts/servers.sh", str(servers), f"127.0.0.1:{port}", script]
    root = Path(__file__).parents[1]
    with (
        tempfile.TemporaryFile() as log,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        subprocess.Popen(
            command,
            cwd=root,
            env=os.environ
            | {
                "SYNTH_DATABASE_URL": f"sqlite:///{database or Path(folder) / 'history.sqlite3'}",
                "PYTHON": sys.executable,
                "SYNTH_OWN_MACHINE": "1" if own_machine else "",
            },
            stdout=log,
            stderr=subprocess.STDOUT,
        ) as app,
    ):
        try:
            if not _answers(f"http://127.0.0.1:{port}/_stcore/health", app):
                log.seek(0)
                raise RuntimeError(
                    f"{script} did not start:\n{log.read().decode(errors='replace')}"
                )
            yield Served(f"http://127.0.0.1:{port}", app.pid)
        finally:
            app.terminate()


def free_ports(count: int) -> int:
    """The first of so many ports in a row that nobody listens to.

    They lie below those that a system gives to whoever asks for any, so that a server which is
    started again finds its port free.
    """
    while True:
        first = 20_000 + randbelow(12_000)
        with ExitStack() as stack, suppress(OSError):
            for port in range(first, first + count):
                stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            return first


def _answers(url: str, app: subprocess.Popen[bytes]) -> bool:
    """Whether it answers within 30 s."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(300):
        if app.poll() is not None:
            return False
        try:
            opener.open(url)
        except OSError:
            time.sleep(0.1)
        else:
            return True
    return False


def chromium(playwright: "Playwright", *arguments: str) -> "Browser":
    """The Chromium of the machine, else Playwright's own, with further arguments on its line."""
    path = next((found for name in _NAMES if (found := shutil.which(name))), None)
    return playwright.chromium.launch(executable_path=path, args=[*_ARGUMENTS, *arguments])
